// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/backward.h"
#include "core/selection/internal/ranks.h"
#include "core/selection/internal/state_cache.h"

namespace suture {
namespace {

/// Shortened LLaMA's Taylor: Σ|w·dL/dw| over a layer's weights, the gradient being that of the loss on all the text: the sum over
/// batches comes before the absolute value, as in the published script.
Ranking rank_by_taylor(const SelectionInput& input, int n) {
    const c10::InferenceMode with_gradients(false);
    const auto removable = removable_plus(input, n);
    require_predictions(*input.windows);
    ComputeSettings compute = input.compute;
    compute.dtype = "float32";
    const Decoder decoder(input.model, compute);
    std::vector<double> scores(std::size_t(input.layers()));
    input.tell().begin("Ranking by taylor", std::int64_t(2) * input.layers(), "layers");
    walk_backwards(decoder, *input.windows, input.tell(), [&](int layer, const std::vector<WeightGradient>& weights) {
        for (const WeightGradient& w : weights) scores[std::size_t(layer)] += (w.weight * w.gradient).abs().sum(at::kDouble).item<double>();
    });
    Ranking ranking = lowest_layers("taylor", scores, removable, n);
    ranking.parameters["plus"] = !input.settings.no_plus;
    return ranking;
}

}  // namespace

extern const Criterion criterion_taylor;
const Criterion criterion_taylor{
    .order = 12,
    .name = "taylor",
    .label = "Taylor",
    .help = "The n layers whose removal changes the loss least to first order: the sum of |weight · gradient| (Shortened LLaMA's Taylor+).",
    .needs = {.gradients = true},
    .rank = rank_by_taylor,
    .check = check_plus,
    .memory = estimate_backwards,
};

}  // namespace suture
