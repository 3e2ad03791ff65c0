// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"

#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/tensor/internal/threads.h"

namespace suture {
namespace {

at::Tensor activate(const std::string& name, const at::Tensor& x) {
    if (name == "silu") return at::silu(x);
    return at::gelu(x, name == "gelu_tanh" ? "tanh" : "none");
}

/// Additive mask [T, T]: position i sees j with i - window < j ≤ i.
at::Tensor window_mask(std::int64_t tokens, std::int64_t window) {
    const auto hidden = at::full({tokens, tokens}, -std::numeric_limits<float>::infinity(), at::kFloat);
    const auto future = at::triu(hidden, 1);
    return window > 0 && window < tokens ? future + at::tril(hidden, -window) : future;
}

}  // namespace

Decoder::Decoder(std::shared_ptr<const Model> model, const ComputeSettings& settings)
    : model_(std::move(model)),
      compute_(settings.dtype == "bfloat16" ? at::kBFloat16 : at::kFloat),
      fits_(double(model_->bytes()) < settings.memory * 1e9) {
    set_compute_threads(int(settings.threads));
    final_norm_ = as_tensor(model_->tensors(), architecture().final_norm + ".weight").to(at::kFloat);
    if (architecture().norm_plus_one) final_norm_ = final_norm_ + 1;
}

at::Tensor Decoder::embed(std::span<const std::int64_t> ids) const {
    const Architecture& a = architecture();
    const auto table = as_tensor(model_->tensors(), a.embedding + ".weight");                      // [V, C] stored type
    const auto index = at::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size()), at::kLong);  // [T]
    auto x = table.index_select(0, index).to(at::kFloat);                                          // [T, C]
    if (a.embedding_scale != 1) {  // transformers rounds the factor to the compute type
        x.mul_(compute_ == at::kBFloat16 ? float(c10::BFloat16(float(a.embedding_scale))) : float(a.embedding_scale));
    }
    const auto map = own_map(0);
    return map ? apply_map(*map, x) : x;
}

std::shared_ptr<const StreamMap> Decoder::own_map(int before_layer) const {
    const auto it = model_->own_maps().find(before_layer);
    return it == model_->own_maps().end() ? nullptr : it->second;
}

Linear Decoder::load_linear(int layer, const std::string& name) const {
    if (name.empty()) return {};
    const std::string full = architecture().layer_tensor(layer, name);
    Linear linear{as_tensor(model_->tensors(), full + ".weight").to(compute_), {}};
    if (model_->tensors().contains(full + ".bias")) linear.bias = as_tensor(model_->tensors(), full + ".bias").to(at::kFloat);
    return linear;
}

at::Tensor Decoder::load_norm(int layer, const std::string& name) const {
    if (name.empty()) return {};
    const auto weight = as_tensor(model_->tensors(), architecture().layer_tensor(layer, name) + ".weight").to(at::kFloat);
    return architecture().norm_plus_one ? weight + 1 : weight;
}

LayerWeights Decoder::load(int layer) const {
    const LayerNames& n = architecture().names;
    LayerWeights w;
    w.shape = architecture().layer_shapes[std::size_t(layer)];
    w.attention_norm = load_norm(layer, n.attention_norm);
    w.attention_post_norm = load_norm(layer, n.attention_post_norm);
    w.mlp_norm = load_norm(layer, n.mlp_norm);
    w.mlp_post_norm = load_norm(layer, n.mlp_post_norm);
    w.q_norm = load_norm(layer, n.q_norm);
    w.k_norm = load_norm(layer, n.k_norm);
    w.qkv = load_linear(layer, n.qkv);
    w.q = load_linear(layer, n.q);
    w.k = load_linear(layer, n.k);
    w.v = load_linear(layer, n.v);
    w.o = load_linear(layer, n.o);
    w.gate_up = load_linear(layer, n.gate_up);
    w.gate = load_linear(layer, n.gate);
    w.up = load_linear(layer, n.up);
    w.down = load_linear(layer, n.down);
    w.map_behind = own_map(layer + 1);
    return w;
}

void Decoder::release(int layer) const {
    if (fits_) return;
    const std::string prefix = architecture().layer_prefix + std::to_string(layer) + ".";
    for (const auto& info : model_->tensors().tensors())
        if (info.name.starts_with(prefix)) model_->tensors().release(info.name);
}

at::Tensor Decoder::norm(const at::Tensor& x, const at::Tensor& weight) const {
    const auto scale = at::rsqrt(x.square().mean(-1, true).add_(architecture().norm_eps));  // [T, 1]
    return (x * scale).mul_(weight);
}

at::Tensor Decoder::apply(const Linear& linear, const at::Tensor& x) const {
    auto y = at::linear(x.to(compute_), linear.weight).to(at::kFloat);  // [T, out]
    return linear.bias.defined() ? y.add_(linear.bias) : y;
}

RotaryTable Decoder::rotary(std::int64_t tokens) const {
    const std::lock_guard lock(rotary_mutex_);
    auto& table = rotary_[tokens];
    if (!table.cos.defined()) table = rotary_table(architecture().rope, tokens);
    return table;
}

at::Tensor Decoder::attention(const LayerWeights& w, const at::Tensor& x) const {
    const Architecture& a = architecture();
    const std::int64_t tokens = x.size(0), q_size = a.heads * a.head_dim, kv_size = a.kv_heads * a.head_dim;
    at::Tensor q, k, v;
    if (w.qkv.weight.defined()) {
        const auto fused = apply(w.qkv, x);  // [T, q + k + v]
        q = fused.narrow(1, 0, q_size);
        k = fused.narrow(1, q_size, kv_size);
        v = fused.narrow(1, q_size + kv_size, kv_size);
    } else {
        q = apply(w.q, x);
        k = apply(w.k, x);
        v = apply(w.v, x);
    }
    q = q.reshape({tokens, a.heads, a.head_dim}).transpose(0, 1);     // [heads, T, D]
    k = k.reshape({tokens, a.kv_heads, a.head_dim}).transpose(0, 1);  // [kv, T, D]
    v = v.reshape({tokens, a.kv_heads, a.head_dim}).transpose(0, 1);  // [kv, T, D]
    if (w.q_norm.defined()) q = norm(q, w.q_norm);
    if (w.k_norm.defined()) k = norm(k, w.k_norm);
    if (w.shape.rotary) {
        const RotaryTable table = rotary(tokens);
        q = rotate(q, table);
        k = rotate(k, table);
    }
    if (a.heads != a.kv_heads) {  // grouped-query attention: each key/value head serves heads/kv query heads
        k = k.repeat_interleave(a.heads / a.kv_heads, 0);
        v = v.repeat_interleave(a.heads / a.kv_heads, 0);
    }
    const auto mixed = scores_to_values(w.shape, q, k, v);  // [heads, T, D]
    return apply(w.o, mixed.transpose(0, 1).reshape({tokens, a.heads * a.head_dim}));
}

at::Tensor Decoder::scores_to_values(const LayerShape& shape, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) const {
    const Architecture& a = architecture();
    const std::int64_t tokens = q.size(1);
    const bool windowed = shape.window > 0 && shape.window < tokens;
    if (a.score_cap == 0) {
        const auto mask = windowed ? std::optional<at::Tensor>(window_mask(tokens, shape.window)) : std::nullopt;
        return at::scaled_dot_product_attention(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0), mask, 0.0, !windowed, a.score_scale)
            .squeeze(0);
    }
    auto scores = at::matmul(q, k.transpose(1, 2)).mul_(a.score_scale);  // [heads, T, T]
    scores = at::tanh(scores.div_(a.score_cap)).mul_(a.score_cap).add_(window_mask(tokens, shape.window));
    return at::matmul(at::softmax(scores, -1), v);
}

at::Tensor Decoder::mlp(const LayerWeights& w, const at::Tensor& x) const {
    const std::int64_t size = architecture().intermediate;
    at::Tensor gate, up;  // [T, I]
    if (w.gate_up.weight.defined()) {
        const auto fused = apply(w.gate_up, x);
        gate = fused.narrow(1, 0, size);
        up = fused.narrow(1, size, size);
    } else {
        gate = apply(w.gate, x);
        up = apply(w.up, x);
    }
    return apply(w.down, activate(architecture().activation, gate).mul_(up));
}

at::Tensor Decoder::run(const LayerWeights& w, const at::Tensor& x) const {
    auto mixed = attention(w, norm(x, w.attention_norm));
    if (w.attention_post_norm.defined()) mixed = norm(mixed, w.attention_post_norm);
    const auto between = mixed.add_(x);  // [T, C]
    auto fed = mlp(w, norm(between, w.mlp_norm));
    if (w.mlp_post_norm.defined()) fed = norm(fed, w.mlp_post_norm);
    const auto x_next = fed.add_(between);
    return w.map_behind ? apply_map(*w.map_behind, x_next) : x_next;
}

void require_finite(const at::Tensor& x, const std::string& where, std::int64_t window) {
    if (std::isfinite(x.sum().item<float>())) return;  // a sum of finite values can overflow, so look again before complaining
    const auto bad = at::isfinite(x).all(-1).logical_not().nonzero();  // [bad tokens, 1]
    if (bad.size(0) == 0) return;
    throw Error("a value that is not finite leaves " + where + " at token " + std::to_string(bad[0][0].item<std::int64_t>()) +
                " of window " + std::to_string(window) + "; the checkpoint's weights can't be computed with");
}

MemoryEstimate estimate_memory(const Model& model, const ComputeSettings& settings, std::int64_t tokens, std::int64_t windows,
                               std::int64_t points) {
    const Architecture& a = model.architecture();
    const std::uint64_t program = 350'000'000;  // libtorch, libraries, window; measured on an idle program
    std::uint64_t layer = 0;
    for (int l = 0; l < a.layers; ++l)
        layer = std::max(layer, std::uint64_t(model.layer_parameters(l)) * (settings.dtype == "bfloat16" ? 2 : 4));
    const std::uint64_t working = std::uint64_t(tokens) * std::uint64_t(8 * a.hidden + 4 * a.intermediate) * 4 +
                                  std::uint64_t(a.heads * tokens * tokens) * (a.score_cap > 0 ? 12 : 1);
    const std::uint64_t window = std::uint64_t(tokens * a.hidden * points) * 4;
    const auto limit = std::uint64_t(settings.memory * 1e9);
    const std::uint64_t fixed = program + layer + working;
    // A quarter of what is left, and no more than 256 MB: larger groups do not make a pass faster.
    const std::uint64_t budget = std::min<std::uint64_t>(limit > fixed ? (limit - fixed) / 4 : 0, 256'000'000);
    MemoryEstimate estimate;
    estimate.windows_per_group =
        std::clamp<std::int64_t>(std::int64_t(budget / std::max<std::uint64_t>(window, 1)), 1, std::max<std::int64_t>(windows, 1));
    estimate.resident = fixed + window * std::uint64_t(estimate.windows_per_group) * 2;
    estimate.mapped = model.bytes() < limit ? model.bytes() : 0;
    return estimate;
}

}  // namespace suture
