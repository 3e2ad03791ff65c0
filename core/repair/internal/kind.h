// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of repair is. One file in core/repair/kinds adds one.
#pragma once

#include "core/repair/internal/seam_statistics.h"
#include "core/repair/repair.h"

namespace suture {

struct RepairKind {
    int order = 0;  ///< place in menus: from simple to strong
    RepairInfo info;
    bool needs_gram = false;
    bool sequential_by_default = false;
    std::string (*json_key)(const RepairSettings& settings) = nullptr;
    StreamMap (*fit)(const SeamStatistics& seam, const RepairSettings& settings) = nullptr;  ///< null: nothing is done at the seam
};

/// Every kind, one per file of core/repair/kinds, by file name.
std::span<const RepairKind* const> all_kinds();
const RepairKind& kind_named(const std::string& name);

/// d = Σ|x_e| / Σ|x_s| per channel in one basis, in the chosen definition; dead channels as CONTRACT says. [C] float64.
Array<double> magnitude_ratio(const SeamStatistics& seam, int basis, const std::string& definition);
/// "ratio_of_sums" or "mean_of_ratios".
std::string definition_name(const RepairSettings& settings);

}  // namespace suture
