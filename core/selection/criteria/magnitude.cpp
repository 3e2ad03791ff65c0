// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/as_tensor.h"
#include "core/model/internal/layer_tensors.h"
#include "core/selection/internal/ranks.h"
#include "core/tensor/internal/torch.h"

namespace suture {
namespace {

/// Shortened LLaMA's Magnitude: Σ|w| over a layer's weights, norms included, biases not.
Ranking rank_by_magnitude(const SelectionInput& input, int n) {
    const auto removable = removable_plus(input, n);
    const Model& model = *input.model;
    std::vector<double> scores(std::size_t(input.layers()));
    input.tell().begin("Ranking by magnitude", input.layers(), "layers");
    int last = -1;
    for (const auto& info : model.tensors().tensors()) {
        const int layer = layer_of(model.architecture(), info.name);
        if (layer < 0 || !info.name.ends_with(".weight")) continue;
        scores[std::size_t(layer)] += as_tensor(model.tensors(), info.name).to(at::kFloat).abs().sum(at::kDouble).item<double>();
        if (layer != last) input.tell().step();
        last = layer;
    }
    Ranking ranking = lowest_layers("magnitude", scores, removable, n);
    ranking.parameters["plus"] = !input.settings.no_plus;
    return ranking;
}

}  // namespace

extern const Criterion criterion_magnitude;
const Criterion criterion_magnitude{
    .order = 13,
    .name = "magnitude",
    .label = "Magnitude",
    .help = "The n layers whose weights have the smallest sum of absolute values (Shortened LLaMA's Magnitude+).",
    .needs = {.weights = true},
    .rank = rank_by_magnitude,
    .check = check_plus,
};

}  // namespace suture
