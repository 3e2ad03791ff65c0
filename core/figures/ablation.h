// SPDX-License-Identifier: GPL-3.0-or-later
// Figure of the page Ablation: perplexity against what is removed, or against what was calibrated on.
#pragma once

#include <string>
#include <vector>

#include "core/base/figure.h"
#include "core/study/ablation.h"

namespace suture {

/// Which rows of an ablation are drawn; the repairs are the curves. Members that the rows don't have are of no effect.
struct AblationSlice {
    bool along_windows = false;  ///< x: calibration windows at `removed` layers; else layers removed at `windows` windows
    std::string model, calibration, criterion, evaluation;
    std::int64_t windows = 0;
    int removed = 0;
};

/// What there is to choose a slice by, in the order of the rows.
struct AblationAxes {
    std::vector<std::string> models, calibrations, criteria;
    std::vector<std::int64_t> windows;
    std::vector<int> removed;
};
AblationAxes ablation_axes(const Ablation& ablation);

/// The slice with members that name nothing replaced by what there is: the first name, the greatest number.
AblationSlice valid_slice(AblationSlice slice, const Ablation& ablation);

/// A curve per repair with 95 % intervals, the dense model as a guide. `ablation` null or without rows: says what to do.
Figure ablation_curves(const Ablation* ablation, const AblationSlice& slice);

}  // namespace suture
