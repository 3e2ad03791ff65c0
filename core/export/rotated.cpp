// SPDX-License-Identifier: GPL-3.0-or-later
// The whole model in the basis of H: x' = x·H. RMSNorm does not see a rotation once its weights are folded into the products behind
// it, so embeddings and writers are multiplied by H, readers and the head take it back, and H·diag(d)·Hᵀ is diag(d).
#include "core/checkpoint/internal/as_tensor.h"
#include "core/export/internal/contents.h"
#include "core/model/internal/layer_tensors.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

/// The source's tensors in the basis of H, in float64.
struct Turned {
    const Model& model;
    const Architecture& a = model.architecture();
    const Hadamard& h = Hadamard::of_size(a.hidden);

    at::Tensor source(const std::string& name) const { return as_tensor(model.tensors(), name).to(at::kDouble); }
    at::Tensor norm(const std::string& module) const {
        const auto weight = source(module + ".weight");
        return a.norm_plus_one ? weight + 1 : weight;
    }
    at::Tensor neutral_norm() const { return at::full({a.hidden}, a.norm_plus_one ? 0.0 : 1.0, at::kDouble); }
    /// A matrix that reads the normed stream, [out, C]: W·diag(w)·H.
    at::Tensor reader(const at::Tensor& weight, const at::Tensor& norm_weight) const { return h.apply(weight * norm_weight); }
    /// A matrix that writes to the stream, [C, in]: Hᵀ·W.
    at::Tensor writer(const at::Tensor& weight) const { return h.apply(weight.t().contiguous()).t(); }
    at::Tensor head(const std::string& name) const { return reader(source(name), norm(a.final_norm)); }

    at::Tensor outside_layers(const std::string& name) const {
        if (name == a.embedding + ".weight") return h.apply(source(name));
        if (name == a.head + ".weight") return head(name);
        return name == a.final_norm + ".weight" ? neutral_norm() : source(name);
    }

    at::Tensor in_layer(int layer, const std::string& name) const {
        const LayerNames& n = a.names;
        const auto is = [&](const std::string& module, const char* what = ".weight") {
            return !module.empty() && name == a.layer_tensor(layer, module) + what;
        };
        if (is(n.attention_norm) || is(n.mlp_norm)) return neutral_norm();
        for (const auto& module : {n.q, n.k, n.v, n.qkv})
            if (is(module)) return reader(source(name), norm(a.layer_tensor(layer, n.attention_norm)));
        for (const auto& module : {n.gate, n.up, n.gate_up})
            if (is(module)) return reader(source(name), norm(a.layer_tensor(layer, n.mlp_norm)));
        if (is(n.o) || is(n.down)) return writer(source(name));
        if (is(n.o, ".bias") || is(n.down, ".bias")) return h.apply(source(name).unsqueeze(0)).squeeze(0);
        return source(name);  // biases of readers and norms per head do not touch the stream
    }
};

/// The head can't stay the embedding matrix: the final norm's weights stand between them.
void untie(Contents& contents, const Turned& turned, at::ScalarType type) {
    const Architecture& a = turned.a;
    contents.tensors.push_back(
        computed(a.head + ".weight", type, {a.vocabulary, a.hidden}, [turned] { return turned.head(turned.a.embedding + ".weight"); }));
    set_config(contents.config, "tie_word_embeddings", false);
    char text[160];
    std::snprintf(text, sizeof text, "the head was tied to the embeddings and is stored on its own now: %.1f MB more",
                  double(a.vocabulary * a.hidden) * double(at::elementSize(type)) / 1e6);
    contents.config.warnings.push_back(text);
}

/// In this basis d acts on single channels. What the folder computes stays described in the source's basis.
void turn_maps(Contents& contents, const Model& model) {
    if (contents.repaired.variant.maps().empty()) return;
    const Repaired original = contents.repaired;
    for (Patch& patch : contents.repaired.patches) {
        StreamMap map = *patch.map;
        if (map.hadamard) map.kind = "channel";
        map.hadamard = false;
        patch.hadamard.clear();
        patch.map = std::make_shared<const StreamMap>(std::move(map));
        contents.repaired.variant = contents.repaired.variant.with_map(patch.seam.end, patch.map);
    }
    add_patches(contents, model);
    contents.repaired = original;
}

}  // namespace

void write_rotated(Contents& contents, const Model& model) {
    const Turned turned{model};
    const auto places = places_of(contents.repaired.variant.removed(), turned.a.layers);
    for (const TensorInfo& info : model.tensors().tensors()) {
        const int layer = layer_of(turned.a, info.name);
        if (layer >= 0 && !places.contains(layer)) continue;
        contents.tensors.push_back(
            computed(renumbered(turned.a, info.name, places), scalar_type_of(info.dtype).value(), info.shape,
                     [turned, layer, name = info.name] { return layer < 0 ? turned.outside_layers(name) : turned.in_layer(layer, name); }));
    }
    const auto type = scalar_type_of(model.tensors().info(turned.a.embedding + ".weight").dtype).value();
    if (turned.a.tied) untie(contents, turned, type);
    if (type != at::kFloat) {
        contents.rounding = 0.1;
        contents.config.warnings.push_back(
            "the rotated weights are rounded to the file's type again, so this model differs from the source a little even where nothing "
            "was removed");
    } else contents.rounding = 1e-3;
    turn_maps(contents, model);
}

}  // namespace suture
