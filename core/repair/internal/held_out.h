// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration windows that a fit does not see, so that it can be judged.
#pragma once

#include <array>

#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/text/windows.h"

namespace suture {

struct SplitWindows {
    Windows fit, held_out;
};

/// Every fourth window is held out, at least one. Throws Error when there are fewer than two windows.
SplitWindows split_windows(const Windows& windows);
/// Whether window `w` of those given to split_windows() is held out.
inline bool is_held_out(std::size_t w, std::size_t count) { return w % 4 == 3 || (count < 4 && w + 1 == count); }

/// λ that are tried, relative to the mean diagonal.
inline constexpr std::array ridge_grid{1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};

/// The candidate with the lowest NLL on `windows`; candidates that overflow lose.
std::size_t best_of(std::shared_ptr<const Model> model, std::span<const Variant> candidates, const Windows& windows,
                    const ComputeSettings& compute, Progress& progress);

}  // namespace suture
