// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/set_scorer.h"

namespace suture {
namespace {

/// NLL sum of the first windows.
double sum_of(const std::vector<WindowScore>& windows, std::size_t count) {
    double sum = 0;
    for (std::size_t w = 0; w < count; ++w) sum += windows[w].nll_sum;
    return sum;
}

}  // namespace

SetScorer::SetScorer(const SelectionInput& input, const Budget& budget, double screen, const Fit* fit)
    : input_(input),
      budget_(budget),
      fit_(fit),
      decoder_(input.model, input.compute),
      cache_(decoder_, *input.windows, state_budget(*input.model, *input.windows, input.compute)),
      first_windows_(
          std::clamp<std::size_t>(std::size_t(std::llround(screen * double(input.windows->ids.size()))), 1, input.windows->ids.size())) {}

Plan SetScorer::plan_of(const LayerSet& removed) const {
    const Variant variant = removed.empty() || !fit_ ? Variant(removed)
                                                     : fit_repair(input_.model, fit_->statistics, fit_->windows, removed, input_.repair,
                                                                  input_.repair_settings, input_.compute, input_.tell())
                                                           .variant;
    return Plan(variant, input_.layers());
}

void SetScorer::hold(const std::vector<LayerSet>& sets) {
    std::vector<Plan> plans;
    for (const LayerSet& set : sets) plans.push_back(plan_of(set));
    cache_.hold(plans, input_.tell());
}

void SetScorer::extend(Candidate& candidate, std::size_t windows) {
    const std::size_t done = candidate.windows.size();
    if (done >= windows) return;
    const auto more = cache_.score(candidate.plan, done, windows - done, input_.tell());
    candidate.windows.insert(candidate.windows.end(), more.begin(), more.end());
}

FoundSet SetScorer::finish(Candidate& candidate) {
    extend(candidate, cache_.windows());
    FoundSet found{.removed = candidate.removed,
                   .order = candidate.removed.layers(),
                   .windows = std::move(candidate.windows),
                   .cost = budget_.cost_of(candidate.removed)};
    known_[candidate.removed.layers()] = found;
    return found;
}

FoundSet SetScorer::score(const LayerSet& removed) { return best_of({removed}, 1).front(); }

std::vector<SetScorer::Candidate> SetScorer::screened(std::vector<Candidate> candidates, std::size_t wanted, const FoundSet* beat) {
    const std::size_t pass = std::max(2 * wanted, (candidates.size() + 2) / 3);
    if (first_windows_ == cache_.windows() || (!beat && pass >= candidates.size())) return candidates;
    for (Candidate& candidate : candidates) {
        extend(candidate, first_windows_);
        input_.tell().step();
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
        return sum_of(a.windows, first_windows_) < sum_of(b.windows, first_windows_);
    });
    if (pass < candidates.size()) candidates.erase(candidates.begin() + std::ptrdiff_t(pass), candidates.end());
    if (beat) {
        const double limit = sum_of(beat->windows, first_windows_);
        std::erase_if(candidates, [&](const Candidate& c) { return sum_of(c.windows, first_windows_) >= limit; });
    }
    return candidates;
}

std::vector<FoundSet> SetScorer::best_of(const std::vector<LayerSet>& sets, std::size_t wanted, const FoundSet* beat) {
    std::vector<FoundSet> ranked;
    std::vector<Candidate> candidates;
    for (const LayerSet& set : sets) {
        if (const auto it = known_.find(set.layers()); it != known_.end()) {
            ranked.push_back(it->second);
            continue;
        }
        if (!set.empty() && !repair_refusal(input_.repair, *input_.model, set).empty()) continue;
        candidates.push_back({set, plan_of(set), {}});
        ++evaluations_;
    }
    for (Candidate& candidate : screened(std::move(candidates), wanted, beat)) {
        if (candidate.windows.empty()) input_.tell().step();
        ranked.push_back(finish(candidate));
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const FoundSet& a, const FoundSet& b) { return a.nll() < b.nll(); });
    return ranked;
}

void SetScorer::count(SearchResult& result) const {
    result.evaluations = evaluations_;
    result.passes = cache_.passes();
}

}  // namespace suture
