// SPDX-License-Identifier: GPL-3.0-or-later
// A layer's tensors as the forward pass wants them, with the edits of a repair.
#include "core/checkpoint/internal/as_tensor.h"
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

/// Whether a repair's branch_scale goes into this tensor: it is the last thing a branch does before it joins the stream.
bool ends_a_branch(const LayerNames& n, const std::string& name) {
    const auto is = [&](const std::string& module) { return !module.empty() && (name == module + ".weight" || name == module + ".bias"); };
    return is(n.attention_post_norm.empty() ? n.o : n.attention_post_norm) || is(n.mlp_post_norm.empty() ? n.down : n.mlp_post_norm);
}

bool is_norm(const LayerNames& n, const std::string& name) {
    return name == n.attention_post_norm + ".weight" || name == n.mlp_post_norm + ".weight";
}

}  // namespace

at::Tensor edited_tensor(const Model& model, const Step& step, const std::string& name) {
    const Architecture& a = model.architecture();
    auto stored = as_tensor(model.tensors(), a.layer_tensor(step.layer, name));
    if (!step.edit) return stored;
    const auto type = stored.scalar_type();
    if (const auto it = step.edit->tensors.find(name); it != step.edit->tensors.end()) stored = view_of(it->second).to(type);
    if (step.edit->branch_scale == 1 || !ends_a_branch(a.names, name)) return stored;
    const double neutral = a.norm_plus_one && is_norm(a.names, name) ? 1 : 0;  // such a norm multiplies by 1 + weight
    return ((stored.to(at::kDouble) + neutral) * step.edit->branch_scale - neutral).to(type);
}

std::shared_ptr<const StreamMap> Decoder::own_map(int before_layer) const {
    const auto it = model_->own_maps().find(before_layer);
    return it == model_->own_maps().end() ? nullptr : it->second;
}

Linear Decoder::load_linear(const Step& step, const std::string& name) const {
    if (name.empty()) return {};
    Linear linear{edited_tensor(*model_, step, name + ".weight").to(compute_), {}};
    if (model_->tensors().contains(architecture().layer_tensor(step.layer, name) + ".bias"))
        linear.bias = edited_tensor(*model_, step, name + ".bias").to(stream_);
    return linear;
}

at::Tensor Decoder::load_norm(const Step& step, const std::string& name) const {
    if (name.empty()) return {};
    const auto weight = edited_tensor(*model_, step, name + ".weight").to(stream_);
    return architecture().norm_plus_one ? weight + 1 : weight;
}

LayerWeights Decoder::load(const Step& step) const {
    const LayerNames& n = architecture().names;
    LayerWeights w;
    w.shape = architecture().layer_shapes[std::size_t(step.layer)];
    w.attention_norm = load_norm(step, n.attention_norm);
    w.attention_post_norm = load_norm(step, n.attention_post_norm);
    w.mlp_norm = load_norm(step, n.mlp_norm);
    w.mlp_post_norm = load_norm(step, n.mlp_post_norm);
    w.q_norm = load_norm(step, n.q_norm);
    w.k_norm = load_norm(step, n.k_norm);
    w.qkv = load_linear(step, n.qkv);
    w.q = load_linear(step, n.q);
    w.k = load_linear(step, n.k);
    w.v = load_linear(step, n.v);
    w.o = load_linear(step, n.o);
    w.gate_up = load_linear(step, n.gate_up);
    w.gate = load_linear(step, n.gate);
    w.up = load_linear(step, n.up);
    w.down = load_linear(step, n.down);
    w.map_behind = own_map(step.layer + 1);
    w.edit = step.edit;
    return w;
}

void Decoder::release(int layer) const {
    if (fits_) return;
    const std::string prefix = architecture().layer_prefix + std::to_string(layer) + ".";
    for (const auto& info : model_->tensors().tensors())
        if (info.name.starts_with(prefix)) model_->tensors().release(info.name);
}

}  // namespace suture
