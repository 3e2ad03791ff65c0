// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of repair is. One file in core/repair/kinds adds one.
#pragma once

#include "core/repair/internal/layer_fit.h"
#include "core/repair/internal/seam_statistics.h"
#include "core/repair/repair.h"
#include "core/tensor/internal/arrays.h"

namespace suture {

struct RepairKind {
    int order = 0;  ///< place in menus: from simple to strong
    RepairInfo info;
    Predictor predictor = Predictor::None;  ///< what the sums of least squares are over
    bool sequential_by_default = false;
    std::string (*json_key)(const RepairSettings& settings) = nullptr;
    /// A map in front of the seam's next layer for every λ of `ridges`; kinds without λ give one.
    std::vector<StreamMap> (*fit)(const SeamStatistics& seam, const RepairSettings& settings, std::span<const double> ridges) = nullptr;
    /// Kinds that change kept layers' tensors: which layers, in rising order, and how each is solved for.
    std::vector<int> (*edited)(const LayerSet& removed, int layers, const RepairSettings& settings) = nullptr;
    bool from_output = false;  ///< their sums are over the MLP's output, not its features
    bool attention = false;    ///< behind a seam the attention's output projection is refitted too, before the down projection
    LayerFit (*fit_layer)(const LayerFitInput& input, std::span<const double> ridges) = nullptr;
    /// As repair_refusal().
    std::string (*refusal)(const Model& model, const LayerSet& removed) = nullptr;
};

/// Every kind, one per file of core/repair/kinds, by file name.
std::span<const RepairKind* const> all_kinds();
const RepairKind& kind_named(const std::string& name);

/// d = Σ|x_e| / Σ|x_s| per channel in one basis, in the chosen definition; dead channels as CONTRACT says. [C] float64.
Array<double> magnitude_ratio(const SeamStatistics& seam, int basis, const std::string& definition);
/// "ratio_of_sums" or "mean_of_ratios".
std::string definition_name(const RepairSettings& settings);
/// "refit" → "refit_0.01", or "refit_auto" where λ is searched.
std::string ridge_key(const std::string& kind, const RepairSettings& settings);

}  // namespace suture
