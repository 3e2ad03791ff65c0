// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"

#include <bit>

#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/tensor/internal/threads.h"

namespace suture {
namespace {

at::Tensor activate(const std::string& name, const at::Tensor& x) {
    if (name == "silu") return at::silu(x);
    return at::gelu(x, name == "gelu_tanh" ? "tanh" : "none");
}

/// Additive mask [T, past + T]: the token at place p sees those at q with p - window < q ≤ p.
at::Tensor window_mask(std::int64_t past, std::int64_t tokens, std::int64_t window) {
    const auto hidden = at::full({tokens, past + tokens}, -std::numeric_limits<float>::infinity(), at::kFloat);
    const auto future = at::triu(hidden, past + 1);
    return window > 0 && window < past + tokens ? future + at::tril(hidden, past - window) : future;
}

}  // namespace

Decoder::Decoder(std::shared_ptr<const Model> model, const ComputeSettings& settings)
    : model_(std::move(model)),
      compute_(settings.dtype == "bfloat16"  ? at::kBFloat16
               : settings.dtype == "float64" ? at::kDouble
                                             : at::kFloat),
      stream_(compute_ == at::kDouble ? at::kDouble : at::kFloat),
      fits_(double(model_->bytes()) < settings.memory * 1e9) {
    set_compute_threads(int(settings.threads));
    final_norm_ = as_tensor(model_->tensors(), architecture().final_norm + ".weight").to(stream_);
    if (architecture().norm_plus_one) final_norm_ = final_norm_ + 1;
}

at::Tensor Decoder::embed(std::span<const std::int64_t> ids) const {
    const Architecture& a = architecture();
    const auto table = as_tensor(model_->tensors(), a.embedding + ".weight");                      // [V, C] stored type
    const auto index = at::tensor(at::ArrayRef<std::int64_t>(ids.data(), ids.size()), at::kLong);  // [T]
    auto x = table.index_select(0, index).to(stream_);                                             // [T, C]
    if (a.embedding_scale != 1) {  // transformers rounds the factor to the compute type
        x.mul_(compute_ == at::kBFloat16 ? float(c10::BFloat16(float(a.embedding_scale))) : float(a.embedding_scale));
    }
    const auto map = own_map(0);
    return map ? apply_map(*map, x) : x;
}

at::Tensor Decoder::norm(const at::Tensor& x, const at::Tensor& weight) const {
    const auto scale = at::rsqrt(x.square().mean(-1, true).add_(architecture().norm_eps));  // [T, 1]
    return (x * scale).mul_(weight);
}

at::Tensor Decoder::apply(const Linear& linear, const at::Tensor& x) const {
    auto y = at::linear(x.to(compute_), linear.weight).to(stream_);  // [T, out]
    return linear.bias.defined() ? y.add_(linear.bias) : y;
}

RotaryTable Decoder::rotary(std::int64_t past, std::int64_t tokens) const {
    const Rope& rope = architecture().rope;
    // Only dynamic angles depend on the length; the others' tables serve every shorter sequence.
    const std::int64_t length = rope.type == "dynamic" ? past + tokens : std::int64_t(std::bit_ceil(std::uint64_t(past + tokens)));
    const std::lock_guard lock(rotary_mutex_);
    const c10::InferenceMode off(false);  // the table outlives this pass, and the next one may need gradients
    auto& table = rotary_[length];
    if (!table.cos.defined()) table = rotary_table(rope, length);
    return {table.cos.narrow(0, past, tokens), table.sin.narrow(0, past, tokens)};
}

at::Tensor Decoder::attention(const LayerWeights& w, const at::Tensor& x, std::span<const Segment> segments) const {
    const Architecture& a = architecture();
    const std::int64_t q_size = a.heads * a.head_dim, kv_size = a.kv_heads * a.head_dim;
    at::Tensor q, k, v;  // [ΣT, heads·D], [ΣT, kv·D] twice
    if (w.qkv.weight.defined()) {
        const auto fused = apply(w.qkv, x);  // [ΣT, q + k + v]
        q = fused.narrow(1, 0, q_size);
        k = fused.narrow(1, q_size, kv_size);
        v = fused.narrow(1, q_size + kv_size, kv_size);
    } else {
        q = apply(w.q, x);
        k = apply(w.k, x);
        v = apply(w.v, x);
    }
    std::vector<at::Tensor> mixed;  // one [T, heads·D] per sequence
    std::int64_t row = 0;
    for (const Segment& s : segments) {
        mixed.push_back(attend(w, q.narrow(0, row, s.tokens), k.narrow(0, row, s.tokens), v.narrow(0, row, s.tokens), s.past));
        row += s.tokens;
    }
    return mixed.size() == 1 ? mixed[0] : at::cat(mixed);
}

at::Tensor Decoder::attend(const LayerWeights& w, at::Tensor q, at::Tensor k, at::Tensor v, KeyValues* past) const {
    const Architecture& a = architecture();
    const std::int64_t tokens = q.size(0), seen = past ? past->tokens() : 0;
    q = q.reshape({tokens, a.heads, a.head_dim}).transpose(0, 1);     // [heads, T, D]
    k = k.reshape({tokens, a.kv_heads, a.head_dim}).transpose(0, 1);  // [kv, T, D]
    v = v.reshape({tokens, a.kv_heads, a.head_dim}).transpose(0, 1);  // [kv, T, D]
    if (w.q_norm.defined()) q = norm(q, w.q_norm);
    if (w.k_norm.defined()) k = norm(k, w.k_norm);
    if (w.shape.rotary) {
        const RotaryTable table = rotary(seen, tokens);
        q = rotate(q, table);
        k = rotate(k, table);
    }
    if (past) {
        if (seen > 0) {
            k = at::cat({past->k, k}, 1);  // [kv, past + T, D]
            v = at::cat({past->v, v}, 1);
        }
        *past = {k, v};
    }
    if (a.heads != a.kv_heads) {  // grouped-query attention: each key/value head serves heads/kv query heads
        k = k.repeat_interleave(a.heads / a.kv_heads, 0);
        v = v.repeat_interleave(a.heads / a.kv_heads, 0);
    }
    return scores_to_values(w.shape, q, k, v).transpose(0, 1).reshape({tokens, a.heads * a.head_dim});
}

at::Tensor Decoder::scores_to_values(const LayerShape& shape, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) const {
    const Architecture& a = architecture();
    const std::int64_t tokens = q.size(1), past = k.size(1) - tokens;
    const bool windowed = shape.window > 0 && shape.window < past + tokens;
    if (a.score_cap == 0) {
        const bool plain =
            !windowed && (past == 0 || tokens == 1);  // the causal flag counts from the first key, so it is of no use behind a past
        const auto mask = plain ? std::nullopt : std::optional<at::Tensor>(window_mask(past, tokens, shape.window).to(stream_));
        return at::scaled_dot_product_attention(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0), mask, 0.0, plain && past == 0,
                                                a.score_scale)
            .squeeze(0);
    }
    auto scores = at::matmul(q, k.transpose(1, 2)).mul_(a.score_scale);                               // [heads, T, past + T]
    scores = at::tanh(scores / a.score_cap) * a.score_cap + window_mask(past, tokens, shape.window);  // backward reads tanh's result
    return at::matmul(at::softmax(scores, -1), v);
}

at::Tensor Decoder::mlp_features(const LayerWeights& w, const at::Tensor& x) const {
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
    return activate(architecture().activation, gate).mul_(up);
}

at::Tensor Decoder::run(const LayerWeights& w, const at::Tensor& x, LayerProbe* probe) const {
    const Segment whole{.tokens = x.size(0)};
    return run(w, x, std::span(&whole, 1), probe);
}

at::Tensor Decoder::run(const LayerWeights& w, const at::Tensor& x, std::span<const Segment> segments, LayerProbe* probe) const {
    const auto heads = attention(w, norm(x, w.attention_norm), segments);  // [T, heads·D]
    auto mixed = apply(w.o, heads);
    if (w.attention_post_norm.defined()) mixed = norm(mixed, w.attention_post_norm);
    const auto between = mixed.add_(x);  // [T, C]
    const auto features = mlp_features(w, norm(between, w.mlp_norm));
    auto fed = apply(w.down, features);
    if (w.mlp_post_norm.defined()) fed = norm(fed, w.mlp_post_norm);
    if (probe) *probe = {heads, between, features};
    const auto x_next = fed.add_(between);
    return w.map_behind ? apply_map(*w.map_behind, x_next) : x_next;
}

void advance(const Decoder& decoder, const Step& step, std::vector<at::Tensor>& states, std::int64_t first_window,
             TokenProgress& progress) {
    if (step.map) {
        for (at::Tensor& x : states) x = apply_map(*step.map, x);
        return;
    }
    const LayerWeights weights = decoder.load(step);
    for (std::size_t w = 0; w < states.size(); ++w) {
        states[w] = decoder.run(weights, states[w]);
        require_finite(states[w], "layer " + std::to_string(step.layer), first_window + std::int64_t(w));
        progress.layer_done(states[w].size(0));
    }
    decoder.release(step.layer);
}

void require_finite(const at::Tensor& x, const std::string& where, std::int64_t window) {
    if (std::isfinite(x.sum().item<float>())) return;  // a sum of finite values can overflow, so look again before complaining
    const auto bad = at::isfinite(x).all(-1).logical_not().nonzero();  // [bad tokens, 1]
    if (bad.size(0) == 0) return;
    throw Error("a value that is not finite leaves " + where + " at token " + std::to_string(bad[0][0].item<std::int64_t>()) +
                " of window " + std::to_string(window) + "; the checkpoint's weights can't be computed with");
}

}  // namespace suture
