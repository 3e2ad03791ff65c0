// SPDX-License-Identifier: GPL-3.0-or-later
// The forward pass, one layer at a time: whoever drives it decides which layers run and what happens to the stream between them.
#pragma once

#include <map>
#include <mutex>
#include <span>

#include "core/model/compute.h"
#include "core/model/internal/rotary.h"
#include "core/model/internal/token_progress.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/tensor/internal/torch.h"

namespace suture {

/// y = x·Wᵀ + b in the compute type.
struct Linear {
    at::Tensor weight;  // [out, in] compute type
    at::Tensor bias;    // [out] float32, or undefined
};

/// One decoder layer in compute type; norms in float32. Undefined tensors: the family has none.
struct LayerWeights {
    LayerShape shape;
    at::Tensor attention_norm, attention_post_norm, mlp_norm, mlp_post_norm;  // [C]
    at::Tensor q_norm, k_norm;                                                // [head_dim]
    Linear qkv;                                                               // [heads·D + 2·kv·D, C] when fused
    Linear q, k, v, o;
    Linear gate_up;  // [2·I, C] when fused
    Linear gate, up, down;
    std::shared_ptr<const StreamMap> map_behind;  // the checkpoint's own patch in front of the next layer
    std::shared_ptr<const LayerEdit> edit;        // whose memory the tensors above may show
};

/// What a layer remembers of one sequence for the tokens that follow. Copies share their storage.
struct KeyValues {
    at::Tensor k, v;  // [kv_heads, T, D] float32, k rotated; undefined: nothing seen yet
    std::int64_t tokens() const { return k.defined() ? k.size(1) : 0; }
};

/// The rows of one sequence among those of several.
struct Segment {
    std::int64_t tokens = 0;
    KeyValues* past = nullptr;  // what the sequence saw in this layer before; extended by these tokens. Null: it begins here
};

/// What a fit looks at inside a layer.
struct LayerProbe {
    at::Tensor heads;     // [T, heads·D] what the o projection reads
    at::Tensor between;   // [T, C] the stream behind attention
    at::Tensor features;  // [T, I] what the down projection reads
};

class Decoder {
public:
    Decoder(std::shared_ptr<const Model> model, const ComputeSettings& settings);

    const Model& model() const { return *model_; }
    const Architecture& architecture() const { return model_->architecture(); }

    /// The stream entering layer 0: [T, C] float32.
    at::Tensor embed(std::span<const std::int64_t> ids) const;
    /// Reads one layer from the file into compute type. Tensors already stored in it are views of the mapped file.
    LayerWeights load(int layer) const { return load({.layer = layer}); }
    /// The same with the step's edit.
    LayerWeights load(const Step& step) const;
    /// Lets the mapped pages of a layer go, when the model does not fit the memory limit.
    void release(int layer) const;
    /// x_{l+1} from x_l, both [T, C] float32; one window from position 0.
    at::Tensor run(const LayerWeights& weights, const at::Tensor& x, LayerProbe* probe = nullptr) const;
    /// The same for several sequences whose rows stand one after the other, [ΣT, C]: products see all rows at once, attention each
    /// sequence alone, behind its past.
    at::Tensor run(const LayerWeights& weights, const at::Tensor& x, std::span<const Segment> segments, LayerProbe* probe = nullptr) const;
    /// Of the stream: float32, or float64 for dtype "float64", which tests use.
    at::ScalarType stream_type() const { return stream_; }
    /// Final norm: x_L [N, C] → what the head reads, in compute type.
    at::Tensor final_normed(const at::Tensor& x) const { return norm(x, final_norm_).to(compute_); }
    /// Rows of the head matrix [V, C], in compute type.
    at::Tensor head_rows(std::int64_t first, std::int64_t count) const;
    /// Final norm and head: x_L [N, C] → logits [N, V] float32.
    at::Tensor logits(const at::Tensor& x) const;
    /// -log softmax(logits)[target] per row: x_L [N, C], targets [N] int64 → [N] float64. Never holds more than a block of logits.
    at::Tensor nll(const at::Tensor& x, const at::Tensor& targets) const;

private:
    at::Tensor attention(const LayerWeights& weights, const at::Tensor& x, std::span<const Segment> segments) const;
    at::Tensor attend(const LayerWeights& weights, at::Tensor q, at::Tensor k, at::Tensor v, KeyValues* past) const;
    at::Tensor scores_to_values(const LayerShape& shape, const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) const;
    at::Tensor mlp_features(const LayerWeights& weights, const at::Tensor& x) const;
    at::Tensor norm(const at::Tensor& x, const at::Tensor& weight) const;
    at::Tensor apply(const Linear& linear, const at::Tensor& x) const;
    Linear load_linear(const Step& step, const std::string& name) const;
    at::Tensor load_norm(const Step& step, const std::string& name) const;
    RotaryTable rotary(std::int64_t past, std::int64_t tokens) const;

    std::shared_ptr<const StreamMap> own_map(int before_layer) const;

    std::shared_ptr<const Model> model_;
    at::ScalarType compute_, stream_;  // of products; of the stream, norms and softmax
    bool fits_;
    at::Tensor final_norm_;  // [C] float32
    mutable std::mutex rotary_mutex_;
    mutable std::map<std::int64_t, RotaryTable> rotary_;  // by length
};

/// x / sqrt(mean x² + eps) per row of x [T, C].
at::Tensor rms_normalised(const at::Tensor& x, double eps);

/// The map of rows x [T, C] float32.
at::Tensor apply_map(const StreamMap& map, const at::Tensor& x);

/// Takes the states of several windows, [T, C] each, through one step: a layer is read once for all of them. Counts a layer pass
/// per window. Throws Cancelled; Error naming layer and window (the first is `first_window`) where a value is not finite.
void advance(const Decoder& decoder, const Step& step, std::vector<at::Tensor>& states, std::int64_t first_window, TokenProgress& progress);

/// A tensor of `layer`, by name below its prefix ("mlp.down_proj.weight"), as the edited checkpoint stores it: in the file's type.
at::Tensor edited_tensor(const Model& model, const Step& step, const std::string& name);

/// Throws Error naming the layer, window and token of the first value that is not finite.
void require_finite(const at::Tensor& x, const std::string& where, std::int64_t window);

/// Memory a pass over windows of `tokens` tokens takes when `points` states of each window of a group are kept.
MemoryEstimate estimate_memory(const Model& model, const ComputeSettings& settings, std::int64_t tokens, std::int64_t windows,
                               std::int64_t points);

}  // namespace suture
