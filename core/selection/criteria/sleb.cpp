// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/selection/internal/ranks.h"
#include "core/selection/internal/set_scorer.h"

namespace suture {
namespace {

/// SLEB (ICML 2024): n times, the layer goes without which the model that is left has the lowest NLL; the first and the last one
/// that are left never go. The score of a layer is the NLL of the last model it was tried to be taken from, nats per token.
Ranking rank_by_sleb(const SelectionInput& given, int n) {
    const c10::InferenceMode no_gradients;
    SelectionInput input = given;
    input.repair = "none";
    input.protection.ends = std::max(1, input.protection.ends);
    require_predictions(*input.windows);
    const Budget budget = Budget::of(*input.model, "layers", n);
    SetScorer scorer(input, budget, 1);
    const auto removable = removable_layers(input.layers(), input.protection, input.statistics);
    const auto candidates = std::int64_t(removable.size());
    if (candidates < n) throw usage_error("criterion sleb: too few layers may go; the first and the last one always stay");
    input.tell().begin("Ranking by sleb", n * candidates - std::int64_t(n) * (n - 1) / 2, "sets");
    Ranking ranking{.criterion = "sleb", .higher_is_better = false, .blocks = false};
    while (ranking.removed.size() < n) {
        std::vector<LayerSet> sets;
        for (const int layer : removable)
            if (!ranking.removed.contains(layer)) sets.push_back(ranking.removed.with(layer));
        scorer.hold({ranking.removed});
        const auto ranked = scorer.best_of(sets, 1);
        const auto added = [&](const FoundSet& set) {
            return *std::find_if(removable.begin(), removable.end(),
                                 [&](int l) { return set.removed.contains(l) && !ranking.removed.contains(l); });
        };
        for (const FoundSet& set : ranked) ranking.scores[added(set)] = set.nll();
        ranking.order.push_back(added(ranked.front()));
        ranking.removed = ranked.front().removed;
    }
    return ranking;
}

}  // namespace

extern const Criterion criterion_sleb;
const Criterion criterion_sleb{
    .order = 10,
    .name = "sleb",
    .label = "SLEB",
    .help = "Layers go one after the other, each time the one without which the rest of the model has the lowest NLL (SLEB).",
    .needs = {.evaluations = true},
    .rank = rank_by_sleb,
    .memory = [](const Model& model, const Windows& windows,
                 const ComputeSettings& compute) { return estimate_states(model, windows, compute, 1); },
};

}  // namespace suture
