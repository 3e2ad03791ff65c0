// SPDX-License-Identifier: GPL-3.0-or-later
// x + x̂·M as a decoder layer. Since f(z) − f(−z) = z for silu and gelu, an MLP with gate rows (Mᵀ, −Mᵀ), up = 0 with bias 1 and
// down columns (I, −I) computes x̂·M; attention writes zero. It takes biases in the MLP, so all layers get them (zeros), and
// Qwen2 and Mistral are written as Llama, which computes the same.
#include "core/checkpoint/internal/as_tensor.h"
#include "core/export/internal/contents.h"
#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

/// [rows of the two halves of the MLP, zeros]: M [C, C] → gate weight [I, C].
at::Tensor gate_rows(const at::Tensor& m, std::int64_t intermediate) {
    const auto zeros = at::zeros({intermediate - 2 * m.size(0), m.size(1)}, at::kFloat);
    return at::cat({m.t(), -m.t(), zeros}, 0);
}

at::Tensor down_columns(std::int64_t c, std::int64_t intermediate) {
    const auto unit = at::eye(c, at::kFloat);
    return at::cat({unit, -unit, at::zeros({c, intermediate - 2 * c}, at::kFloat)}, 1);  // [C, I]
}

class StockLayers {
public:
    StockLayers(Contents& contents, const Model& model) : contents_(contents), model_(model), a_(model.architecture()) {
        type_ = as_tensor(model.tensors(), a_.layer_tensor(0, a_.names.down) + ".weight").scalar_type();
    }

    void write() {
        const Variant& variant = contents_.repaired.variant;
        std::vector<int> inserted;
        for (const auto& [before, map] : variant.maps()) inserted.push_back(before);
        const auto places = places_of(variant.removed(), a_.layers, inserted);
        contents_.tensors = kept_tensors(model_, variant, places);
        for (const auto& [layer, place] : places) add_missing_biases(layer, place);
        int added = 0;
        for (const auto& [before, map] : variant.maps()) {
            const auto kept_before =
                std::count_if(places.begin(), places.end(), [&, point = before](const auto& kept) { return kept.first < point; });
            add_layer(int(kept_before) + added++, map);
        }
        edit_config(int(places.size()) + added);
    }

private:
    void add(const std::string& name, std::vector<std::int64_t> shape, std::function<at::Tensor()> make) {
        contents_.tensors.push_back(computed(name, type_, std::move(shape), std::move(make)));
    }
    void fill(const std::string& name, std::vector<std::int64_t> shape, double value) {
        add(name, shape, [shape, value] { return at::full(shape, value, at::kFloat); });
    }

    bool attention_bias() const { return model_.tensors().contains(a_.layer_tensor(0, a_.names.q) + ".bias"); }

    /// The biases the Llama class wants and the source lacks.
    void add_missing_biases(int layer, int place) {
        const auto missing = [&](const std::string& name, std::int64_t size) {
            if (!model_.tensors().contains(a_.layer_tensor(layer, name) + ".bias")) fill(a_.layer_tensor(place, name) + ".bias", {size}, 0);
        };
        missing(a_.names.gate, a_.intermediate);
        missing(a_.names.up, a_.intermediate);
        missing(a_.names.down, a_.hidden);
        if (attention_bias()) missing(a_.names.o, a_.hidden);
    }

    void add_layer(int place, const std::shared_ptr<const StreamMap>& map) {
        const std::int64_t c = a_.hidden, wide = a_.intermediate, q = a_.heads * a_.head_dim, kv = a_.kv_heads * a_.head_dim;
        const LayerNames& n = a_.names;
        const auto name = [&](const std::string& module, const char* what) { return a_.layer_tensor(place, module) + what; };
        fill(name(n.attention_norm, ".weight"), {c}, 1);
        fill(name(n.mlp_norm, ".weight"), {c}, 1);
        for (const auto& [module, out, in] : {std::tuple{n.q, q, c}, {n.k, kv, c}, {n.v, kv, c}, {n.o, c, q}}) {
            fill(name(module, ".weight"), {out, in}, 0);
            if (attention_bias()) fill(name(module, ".bias"), {out}, 0);
        }
        add(name(n.gate, ".weight"), {wide, c}, [map, wide] { return gate_rows(view_of(map->matrix), wide); });
        fill(name(n.gate, ".bias"), {wide}, 0);
        fill(name(n.up, ".weight"), {wide, c}, 0);
        fill(name(n.up, ".bias"), {wide}, 1);
        add(name(n.down, ".weight"), {c, wide}, [c, wide] { return down_columns(c, wide); });
        fill(name(n.down, ".bias"), {c}, 0);
    }

    void edit_config(int layers) {
        EditedConfig& config = contents_.config;
        const bool bias = attention_bias();
        for (const char* gone : {"layer_types", "use_sliding_window", "sliding_window", "max_window_layers"})
            if (config.config.contains(gone)) {
                config.changes.push_back({gone, config.config[gone], nullptr});
                config.config.erase(gone);
            }
        set_config(config, "model_type", "llama");
        set_config(config, "architectures", nlohmann::ordered_json::array({"LlamaForCausalLM"}));
        set_config(config, "num_hidden_layers", layers);
        set_config(config, "mlp_bias", true);
        set_config(config, "attention_bias", bias);
        config.warnings.push_back(
            std::to_string(contents_.repaired.patches.size()) +
            " of the removed layers' places are taken by layers without attention: each costs the time, memory and KV cache of one "
            "layer. In bfloat16 they are exact up to rounding only");
    }

    Contents& contents_;
    const Model& model_;
    const Architecture& a_;
    at::ScalarType type_;
};

}  // namespace

void write_stock_layers(Contents& contents, const Model& model) { StockLayers(contents, model).write(); }

}  // namespace suture
