// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/increment_fit.h"
#include "core/repair/internal/kind.h"

namespace suture {
namespace {

/// P = I + M (arXiv 2605.15491).
std::vector<StreamMap> fit_ridge(const SeamStatistics& seam, const RepairSettings& settings, std::span<const double> ridges) {
    const IncrementFit fit(seam, settings.bias);
    std::vector<StreamMap> maps;
    for (const double ridge : ridges) {
        const Increment increment = fit.at(ridge);
        StreamMap map{.kind = "ridge", .matrix = floats_of(increment.m + at::eye(seam.hidden(), at::kDouble))};
        if (increment.bias.defined()) map.bias = floats_of(increment.bias);
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace

extern const RepairKind repairkind_ridge;
const RepairKind repairkind_ridge{
    .order = 4,
    .info = {.name = "ridge",
             .label = "Least squares",
             .help = "P = I + M fitted by ridge regression of the removed layers' increment on the stream (λ by --ridge).",
             .ridge = true},
    .predictor = Predictor::Stream,
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("ridge", settings); },
    .fit = fit_ridge,
};

}  // namespace suture
