// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/internal/continuation.h"
#include "core/base/error.h"

namespace suture {
namespace {

constexpr double program = 350e6;  // bytes that libtorch, libraries and window take anyway
constexpr double share = 0.8;      // of the limit; the rest is for states, keys and values

}  // namespace

LoadedLayers::LoadedLayers(const Decoder& decoder, const ComputeSettings& settings)
    : decoder_(decoder), settings_(settings), left_(settings.memory * 1e9 * share - program) {}

std::uint64_t LoadedLayers::bytes_to_load(const Step& step) const {
    const Model& model = decoder_.model();
    if (!step.edit && settings_.dtype == model.storage_type()) return 0;  // views of the mapped file
    return std::uint64_t(model.layer_parameters(step.layer)) * (settings_.dtype == "bfloat16" ? 2 : 4);
}

std::shared_ptr<const LayerWeights> LoadedLayers::keep(const Step& step) {
    auto& weights = kept_[step.name()];
    const double bytes = double(bytes_to_load(step));
    if (weights || bytes > std::max(left_, 0.0)) return weights;
    left_ -= bytes;
    weights = std::make_shared<const LayerWeights>(decoder_.load(step));
    return weights;
}

Continuation::Continuation(const Decoder& decoder, LoadedLayers& layers, const std::vector<Step>& plan) : decoder_(decoder) {
    for (const Step& step : plan) stages_.push_back({step, step.map ? nullptr : layers.keep(step), {}});
}

void Continuation::restart() {
    for (Stage& stage : stages_) stage.past = {};
}

bool Continuation::resident() const {
    return std::ranges::all_of(stages_, [](const Stage& stage) { return stage.step.map || stage.weights; });
}

at::Tensor Continuation::pass(Stage& stage, const at::Tensor& x) const {
    if (stage.step.map) return apply_map(*stage.step.map, x);
    const Segment segment{.tokens = x.size(0), .past = &stage.past};
    if (stage.weights) return decoder_.run(*stage.weights, x, std::span(&segment, 1));
    const auto next = decoder_.run(decoder_.load(stage.step), x, std::span(&segment, 1));
    decoder_.release(stage.step.layer);
    return next;
}

at::Tensor Continuation::read(std::span<const std::int64_t> ids, Progress* progress) {
    const c10::InferenceMode no_gradients;
    const std::int64_t vocabulary = decoder_.architecture().vocabulary;
    for (const std::int64_t id : ids)
        if (id < 0 || id >= vocabulary)
            throw Error("the token id " + std::to_string(id) + " is outside the model's vocabulary of " + std::to_string(vocabulary) +
                        "; tokenizer and model do not belong together");
    auto x = decoder_.embed(ids);  // [T, C]
    for (Stage& stage : stages_) {
        if (progress) progress->step(0);
        x = pass(stage, x);
    }
    const auto last = x.narrow(0, x.size(0) - 1, 1);  // [1, C]
    require_finite(last, "the last layer", 0);
    return decoder_.logits(last).squeeze(0);
}

}  // namespace suture
