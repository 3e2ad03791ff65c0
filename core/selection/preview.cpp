// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/preview.h"

#include "core/base/error.h"
#include "core/selection/internal/state_cache.h"

namespace suture {
namespace {

constexpr std::int64_t pieces = 8;  // the fewest windows that have an interval

}  // namespace

Windows preview_slice(const Windows& held_out, std::int64_t tokens) {
    std::vector<std::int64_t> ids;
    std::vector<bool> counted;
    const std::size_t skip = held_out.bos ? 1 : 0;
    for (std::size_t w = 0; w < held_out.ids.size(); ++w) {
        ids.insert(ids.end(), held_out.ids[w].begin() + std::ptrdiff_t(skip), held_out.ids[w].end());
        counted.insert(counted.end(), held_out.counted[w].begin() + std::ptrdiff_t(skip), held_out.counted[w].end());
    }
    const std::int64_t length = std::min(tokens, std::int64_t(ids.size())) / pieces;
    if (length < 2) throw Error(held_out.source + ": too short for a preview, which needs 16 tokens; give a longer text");
    Windows slice = held_out;
    slice.ids.clear();
    slice.counted.clear();
    for (auto first = ids.begin(); slice.ids.size() < pieces; first += length) {
        const auto flags = counted.begin() + (first - ids.begin());
        slice.ids.emplace_back(first, first + length);
        slice.counted.emplace_back(flags, flags + length);
        if (!held_out.bos) continue;
        slice.ids.back().insert(slice.ids.back().begin(), held_out.ids[0][0]);
        slice.counted.back().insert(slice.counted.back().begin(), held_out.counted[0][0]);
    }
    slice.settings.seqlen = std::int64_t(slice.ids[0].size());
    slice.settings.windows = pieces;
    slice.settings.stride = 0;
    return slice;
}

struct Preview::State {
    State(std::shared_ptr<const Model> m, Windows s, const ComputeSettings& c)
        : model(std::move(m)), slice(std::move(s)), compute(c), decoder(model, c), cache(decoder, slice, state_budget(*model, slice, c)) {}

    std::shared_ptr<const Model> model;
    Windows slice;
    ComputeSettings compute;
    Decoder decoder;
    StateCache cache;
    std::map<std::string, Evaluation> measured;  // by plan
    std::mutex mutex;
};

Preview::Preview(std::shared_ptr<const Model> model, Windows slice, const ComputeSettings& compute) {
    const c10::InferenceMode no_gradients;
    require_predictions(slice);
    state_ = std::make_unique<State>(std::move(model), std::move(slice), compute);
}

Preview::~Preview() = default;

Evaluation Preview::measure(const Variant& variant, Progress& progress) {
    const c10::InferenceMode no_gradients;
    const std::lock_guard one_at_a_time(state_->mutex);
    const int layers = state_->model->architecture().layers;
    const Plan plan(variant, layers);
    if (const auto it = state_->measured.find(plan.prefixes.back()); it != state_->measured.end()) return it->second;
    progress.begin("Measuring a slice", 0, "layers");
    const std::vector<Plan> plans{Plan({}, layers), plan};
    state_->cache.hold(plans, progress);
    Evaluation evaluation;
    evaluation.windows = state_->cache.score(plan, 0, state_->slice.ids.size(), progress);
    evaluation.conditions = state_->slice.conditions();
    evaluation.conditions.update({{"model", state_->model->identity()}, {"dtype", state_->compute.dtype}, {"variant", variant.to_json()}});
    state_->measured[plan.prefixes.back()] = evaluation;
    return evaluation;
}

const Windows& Preview::slice() const { return state_->slice; }

std::int64_t Preview::passes() const {
    const std::lock_guard one_at_a_time(state_->mutex);
    return state_->cache.passes();
}

}  // namespace suture
