// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/ranks.h"
#include "core/selection/internal/set_scorer.h"

namespace suture {
namespace {

/// Shortened LLaMA's PPL: the perplexity of the model without this one layer; the n lowest go together.
Ranking rank_by_perplexity(const SelectionInput& given, int n) {
    const c10::InferenceMode no_gradients;
    SelectionInput input = given;
    input.repair = "none";
    const auto removable = removable_plus(input, n);
    require_predictions(*input.windows);
    const Budget budget = Budget::of(*input.model, "layers", n);
    SetScorer scorer(input, budget, 1);
    input.tell().begin("Ranking by ppl", input.layers(), "layers");
    scorer.hold({LayerSet()});
    std::vector<LayerSet> single;
    for (int l = 0; l < input.layers(); ++l) single.push_back(LayerSet({l}));
    std::vector<double> scores(single.size());
    for (const FoundSet& set : scorer.best_of(single, single.size())) scores[std::size_t(set.removed.layers().front())] = set.perplexity();
    Ranking ranking = lowest_layers("ppl", scores, removable, n);
    ranking.parameters["plus"] = !input.settings.no_plus;
    return ranking;
}

}  // namespace

extern const Criterion criterion_ppl;
const Criterion criterion_ppl{
    .order = 11,
    .name = "ppl",
    .label = "Perplexity without the layer",
    .help = "The n layers without which, each alone, the model has the lowest perplexity (Shortened LLaMA's PPL).",
    .needs = {.evaluations = true},
    .rank = rank_by_perplexity,
    .check = check_plus,
    .memory = [](const Model& model, const Windows& windows,
                 const ComputeSettings& compute) { return estimate_states(model, windows, compute, 1); },
};

}  // namespace suture
