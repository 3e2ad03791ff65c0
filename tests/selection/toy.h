// SPDX-License-Identifier: GPL-3.0-or-later
// A llama checkpoint small enough to change by hand: six layers, hidden 16, seeded weights in float32.
#pragma once

#include <cstring>
#include <random>

#include "core/evaluation/evaluation.h"
#include "core/model/model.h"
#include "core/text/windows.h"
#include "tests/support/data.h"

namespace suture::test {

struct Toy {
    struct Tensor {
        std::vector<std::int64_t> shape;
        std::vector<float> values;
    };
    static constexpr int layers = 6, hidden = 16, vocabulary = 40;
    std::map<std::string, Tensor> tensors;
    nlohmann::json config = read_json(data("archs/llama/config.json"));

    explicit Toy(unsigned seed = 1) : random_(seed) {
        config.update({{"num_hidden_layers", layers},
                       {"hidden_size", hidden},
                       {"intermediate_size", 24},
                       {"num_attention_heads", 2},
                       {"num_key_value_heads", 1},
                       {"head_dim", 8},
                       {"vocab_size", vocabulary}});
        add("model.embed_tokens.weight", {vocabulary, hidden}, 1);
        add("lm_head.weight", {vocabulary, hidden}, 0.5);
        add("model.norm.weight", {hidden}, 0.1, 1);
        for (int l = 0; l < layers; ++l) {
            for (const char* norm : {"input_layernorm", "post_attention_layernorm"}) add(name(l, norm), {hidden}, 0.1, 1);
            add(name(l, "self_attn.q_proj"), {16, hidden}, 0.3);
            add(name(l, "self_attn.k_proj"), {8, hidden}, 0.3);
            add(name(l, "self_attn.v_proj"), {8, hidden}, 0.3);
            add(name(l, "self_attn.o_proj"), {hidden, 16}, 0.3);
            add(name(l, "mlp.gate_proj"), {24, hidden}, 0.3);
            add(name(l, "mlp.up_proj"), {24, hidden}, 0.3);
            add(name(l, "mlp.down_proj"), {hidden, 24}, 0.3);
        }
    }

    static std::string name(int layer, const std::string& module) {
        return "model.layers." + std::to_string(layer) + "." + module + ".weight";
    }
    Tensor& at(int layer, const std::string& module) { return tensors.at(name(layer, module)); }

    /// A layer that adds nothing to the stream.
    Toy& silence(int layer) {
        for (const char* module : {"self_attn.o_proj", "mlp.down_proj"})
            std::fill(at(layer, module).values.begin(), at(layer, module).values.end(), 0.0f);
        return *this;
    }

    std::shared_ptr<const Model> write(const std::filesystem::path& folder) const {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "config.json") << config.dump(1);
        nlohmann::json header;
        std::string bytes;
        for (const auto& [key, tensor] : tensors) {
            const std::size_t begin = bytes.size(), size = tensor.values.size() * sizeof(float);
            bytes.append(reinterpret_cast<const char*>(tensor.values.data()), size);
            header[key] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {begin, begin + size}}};
        }
        std::string text = header.dump();
        while (text.size() % 8) text += ' ';
        const std::uint64_t length = text.size();
        std::ofstream file(folder / "model.safetensors", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), 8);
        file << text << bytes;
        file.close();
        return Model::open(folder);
    }

private:
    void add(const std::string& key, std::vector<std::int64_t> shape, double spread, double middle = 0) {
        Tensor tensor{shape, {}};
        std::int64_t count = 1;
        for (const auto side : shape) count *= side;
        // Not std::uniform_real_distribution: its numbers may differ between standard libraries.
        for (std::int64_t i = 0; i < count; ++i)
            tensor.values.push_back(float(middle + spread * (2.0 * double(random_()) / double(std::mt19937::max()) - 1)));
        tensors[key] = std::move(tensor);
    }

    std::mt19937 random_;
};

/// Windows of pseudo-random tokens in 2 … 39.
inline Windows toy_windows(std::size_t count, std::size_t tokens, unsigned seed = 7) {
    std::mt19937 random(seed);
    Windows windows;
    windows.source = "hand-made";
    windows.digest = std::to_string(seed);
    for (std::size_t w = 0; w < count; ++w) {
        std::vector<std::int64_t> ids;
        for (std::size_t t = 0; t < tokens; ++t) ids.push_back(2 + std::int64_t(random() % 38));
        windows.ids.push_back(ids);
        windows.counted.emplace_back(tokens, true);
    }
    return windows;
}

inline const Windows text = toy_windows(4, 24);

/// Per predicted token of `text`.
inline double nll(const std::shared_ptr<const Model>& model, const Variant& variant) {
    Progress progress;
    const auto e = evaluate(model, std::vector<Variant>{variant}, text, {}, 0, progress)[0];
    return e.nll_sum() / double(e.tokens());
}

}  // namespace suture::test
