// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/increment_fit.h"
#include "core/repair/internal/kind.h"

namespace suture {
namespace {

/// x' = x + x̂·M with x̂ the stream as a decoder layer's norm would hand it on: what layers compute depends on x̂ alone.
std::vector<StreamMap> fit_normalised(const SeamStatistics& seam, const RepairSettings& settings, std::span<const double> ridges) {
    const IncrementFit fit(seam, settings.bias);
    std::vector<StreamMap> maps;
    for (const double ridge : ridges) {
        const Increment increment = fit.at(ridge);
        StreamMap map{.kind = "ridge-normalised", .matrix = floats_of(increment.m), .norm_eps = seam.norm_eps};
        if (increment.bias.defined()) map.bias = floats_of(increment.bias);
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace

extern const RepairKind repairkind_ridge_normalised;
const RepairKind repairkind_ridge_normalised{
    .order = 5,
    .info = {.name = "ridge-normalised",
             .label = "Least squares, normalised",
             .help = "x + x̂·M: the removed layers' increment fitted on the RMS-normalised stream x̂ (λ by --ridge).",
             .ridge = true},
    .predictor = Predictor::Normalised,
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("ridge-normalised", settings); },
    .fit = fit_normalised,
};

}  // namespace suture
