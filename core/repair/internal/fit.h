// SPDX-License-Identifier: GPL-3.0-or-later
// The two ways a repair is fitted.
#pragma once

#include "core/repair/internal/kind.h"

namespace suture {

/// What both ways read. `statistics` may be null: then both sides of every seam are run for.
struct FitJob {
    std::shared_ptr<const Model> model;
    const Statistics* statistics = nullptr;
    const Windows& windows;
    const LayerSet& removed;
    const RepairKind& kind;
    const RepairSettings& settings;
    const ComputeSettings& compute;
    Progress& progress;

    bool sequential() const;
    double extreme_factor() const;
};

/// A map per seam.
Repaired fit_maps(const FitJob& job);
/// New tensors for kept layers.
Repaired fit_layers(const FitJob& job);

}  // namespace suture
