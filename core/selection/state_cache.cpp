// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/state_cache.h"

#include <set>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr std::int64_t rows_at_once = 2048;  // bounds what a layer's products take beside the states

std::size_t longest_window(const Windows& windows) {
    std::size_t tokens = 0;
    for (const auto& ids : windows.ids) tokens = std::max(tokens, ids.size());
    return tokens;
}

std::uint64_t bytes_per_point(const Model& model, const Windows& windows) {
    return std::uint64_t(windows.tokens() * model.architecture().hidden) * 4;
}

}  // namespace

Plan::Plan(const Variant& variant, int layers) : steps(variant.steps(layers)), prefixes{""} {
    for (const Step& step : steps) prefixes.push_back(prefixes.back() + step.name() + ";");
}

std::int64_t Plan::layers_between(std::size_t from, std::size_t to) const {
    return std::count_if(steps.begin() + std::ptrdiff_t(from), steps.begin() + std::ptrdiff_t(to), [](const Step& s) { return !s.map; });
}

StateCache::StateCache(const Decoder& decoder, const Windows& windows, std::uint64_t bytes)
    : decoder_(decoder),
      windows_(windows),
      points_(std::size_t(std::max<std::uint64_t>(2, bytes / std::max<std::uint64_t>(1, bytes_per_point(decoder.model(), windows))))) {
    begin_.push_back(0);
    for (const auto& ids : windows.ids) begin_.push_back(begin_.back() + std::int64_t(ids.size()));
}

at::Tensor StateCache::embed() const {
    std::vector<std::int64_t> ids;
    for (const auto& window : windows_.ids) ids.insert(ids.end(), window.begin(), window.end());
    return decoder_.embed(ids);  // [ΣT, C]
}

at::Tensor StateCache::run(const Step& step, const at::Tensor& x, std::size_t first, std::size_t count, Progress& progress) {
    progress.check();
    if (step.map) return apply_map(*step.map, x);
    const LayerWeights weights = decoder_.load(step);
    std::vector<at::Tensor> parts;
    std::int64_t row = 0;
    for (std::size_t w = first; w < first + count;) {
        std::vector<Segment> segments;
        std::int64_t rows = 0;
        do {
            segments.push_back({.tokens = begin_[w + 1] - begin_[w]});
            rows += segments.back().tokens;
            ++w;
        } while (w < first + count && rows + begin_[w + 1] - begin_[w] <= rows_at_once);
        parts.push_back(decoder_.run(weights, x.narrow(0, row, rows), segments));
        row += rows;
        progress.check();
    }
    passes_ += std::int64_t(count);
    const auto y = parts.size() == 1 ? parts[0] : at::cat(parts);
    for (std::size_t w = first; w < first + count; ++w)
        require_finite(y.narrow(0, begin_[w] - begin_[first], begin_[w + 1] - begin_[w]), "layer " + std::to_string(step.layer),
                       std::int64_t(w));
    decoder_.release(step.layer);
    return y;
}

std::size_t StateCache::longest_held(const Plan& plan) const {
    for (std::size_t i = plan.prefixes.size(); i-- > 0;)
        if (held_.contains(plan.prefixes[i])) return i;
    return 0;
}

void StateCache::hold(std::span<const Plan> plans, Progress& progress) {
    std::size_t points = 0;
    for (const Plan& plan : plans) points += plan.prefixes.size();
    const std::size_t stride = (points + points_ - 1) / points_;
    std::set<std::string> wanted;
    for (const Plan& plan : plans) {
        for (std::size_t i = 0; i < plan.prefixes.size(); ++i)
            if (i % stride == 0 || i + 1 == plan.prefixes.size()) wanted.insert(plan.prefixes[i]);
        std::size_t at = longest_held(plan);
        if (!held_.contains(plan.prefixes[at])) held_[plan.prefixes[at]] = embed();
        for (at::Tensor x = held_[plan.prefixes[at]]; at < plan.steps.size();) {
            x = run(plan.steps[at], x, 0, windows(), progress);
            if (++at; wanted.contains(plan.prefixes[at])) held_[plan.prefixes[at]] = x;
        }
    }
    std::erase_if(held_, [&](const auto& entry) { return !wanted.contains(entry.first); });
}

at::Tensor StateCache::behind(const Plan& plan, std::size_t first, std::size_t count, Progress& progress) {
    std::size_t at = longest_held(plan);
    at::Tensor x = held_.contains(plan.prefixes[at]) ? held_[plan.prefixes[at]] : embed();
    x = x.narrow(0, begin_[first], begin_[first + count] - begin_[first]);
    for (; at < plan.steps.size(); ++at) x = run(plan.steps[at], x, first, count, progress);
    return x;
}

std::vector<WindowScore> StateCache::score(const Plan& plan, std::size_t first, std::size_t count, Progress& progress) {
    const at::Tensor x = behind(plan, first, count, progress);  // [ΣT, C]
    std::vector<std::int64_t> rows, targets;                    // of every token that has a next one to predict
    std::int64_t row = 0;
    for (std::size_t w = first; w < first + count; ++w, ++row)
        for (std::size_t t = 1; t < windows_.ids[w].size(); ++t, ++row) {
            rows.push_back(row);
            targets.push_back(windows_.ids[w][t]);
        }
    const auto nll = decoder_.nll(x.index_select(0, at::tensor(rows, at::kLong)), at::tensor(targets, at::kLong)).contiguous();
    const double* value = nll.const_data_ptr<double>();
    std::vector<WindowScore> scores(count);
    for (std::size_t w = 0; w < count; ++w)
        for (std::size_t t = 1; t < windows_.ids[first + w].size(); ++t, ++value)
            if (windows_.counted[first + w][t]) {
                scores[w].nll_sum += *value;
                ++scores[w].tokens;
            }
    return scores;
}

std::uint64_t state_budget(const Model& model, const Windows& windows, const ComputeSettings& compute) {
    const auto base = estimate_memory(model, compute, std::int64_t(longest_window(windows)), 1, 1).resident;
    const auto limit = std::uint64_t(compute.memory * 1e9);
    return limit > base ? (limit - base) / 2 : 0;
}

MemoryEstimate estimate_states(const Model& model, const Windows& windows, const ComputeSettings& compute, std::int64_t plans) {
    MemoryEstimate estimate = estimate_memory(model, compute, std::int64_t(longest_window(windows)), 1, 1);
    const auto points = std::uint64_t(plans * (model.architecture().layers + 1));
    const std::uint64_t each = bytes_per_point(model, windows);
    estimate.resident += std::min(points * each, std::max(2 * each, state_budget(model, windows, compute))) + 2 * each;
    estimate.windows_per_group = std::int64_t(windows.ids.size());
    return estimate;
}

void require_predictions(const Windows& windows) {
    std::int64_t counted = 0;
    for (std::size_t w = 0; w < windows.ids.size(); ++w) {
        if (windows.ids[w].size() < 2) throw Error(windows.source + ": a window of one token predicts nothing; give a longer text");
        counted += std::count(windows.counted[w].begin() + 1, windows.counted[w].end(), true);
    }
    if (counted == 0) throw Error(windows.source + ": no token is left to score; the settings skip-first and mask leave all of them out");
}

}  // namespace suture
