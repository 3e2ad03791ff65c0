// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/stock_layer.h"
#include "core/repair/internal/increment_fit.h"
#include "core/repair/internal/kind.h"

namespace suture {
namespace {

/// The normalised fit without a bias: what a decoder layer with a silent attention can compute exactly.
std::vector<StreamMap> fit_stock_layer(const SeamStatistics& seam, const RepairSettings&, std::span<const double> ridges) {
    const IncrementFit fit(seam, false);
    std::vector<StreamMap> maps;
    for (const double ridge : ridges)
        maps.push_back({.kind = "stock-layer", .matrix = floats_of(fit.at(ridge).m), .norm_eps = seam.norm_eps});
    return maps;
}

}  // namespace

extern const RepairKind repairkind_stock_layer;
const RepairKind repairkind_stock_layer{
    .order = 7,
    .info = {.name = "stock-layer",
             .label = "Stock layer",
             .help = "The normalised fit written as one more decoder layer with a silent attention; needs an MLP twice as wide as the "
                     "stream and biases in it, and costs a layer per seam.",
             .ridge = true,
             .stock = true},
    .predictor = Predictor::Normalised,
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("stock-layer", settings); },
    .fit = fit_stock_layer,
    .refusal = [](const Model& model, const LayerSet&) { return stock_layer_refusal(model); },
};

}  // namespace suture
