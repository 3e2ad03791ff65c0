// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs inside the down projections of kept layers.
#pragma once

#include <string>
#include <vector>

#include "core/base/layers.h"
#include "core/repair/internal/layer_fit.h"
#include "core/repair/repair.h"

namespace suture {

/// The kept layer in front of every seam, and the `behind` next kept layers behind it, each once, rising.
std::vector<int> layers_in_front_of_seams(const LayerSet& removed, int layers, std::int64_t behind);

/// Those of a cascade: settings.cascade layers behind each seam, 0: all.
std::vector<int> layers_of_cascade(const LayerSet& removed, int layers, const RepairSettings& settings);

/// W' = W + D, D the ridge solution of R ≈ F·Dᵀ on the MLP's features: shrinks towards the old weights.
LayerFit refit_down(const LayerFitInput& input, std::span<const double> ridges);

/// W' = Tᵀ·W, b' = Tᵀ·b with T = I + the ridge solution of R on the MLP's output (ReplaceMe, NeurIPS 2025, least-squares form).
LayerFit fold_into_down(const LayerFitInput& input, std::span<const double> ridges);

/// Why no down projection of `model` can stand in for `removed`: a norm behind the MLP, or a seam at layer 0. Empty: it can.
std::string down_projection_refusal(const std::string& kind, const Model& model, const LayerSet& removed);

}  // namespace suture
