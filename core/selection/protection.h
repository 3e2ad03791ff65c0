// SPDX-License-Identifier: GPL-3.0-or-later
// Layers that no criterion and no search may remove.
#pragma once

#include <optional>
#include <vector>

#include "core/base/layers.h"
#include "core/calibration/statistics.h"

namespace suture {

struct Protection {
    LayerSet layers;                  ///< the user's list
    int ends = 1;                     ///< so many layers at each end stay
    bool massive_activation = false;  ///< the layer that creates the massive activation stays

    /// {layers, ends, massive_activation}, for the recipe.
    nlohmann::json to_json() const;
};

/// Where the strongest extreme token of the calibration text gets its norm: what protecting that layer rests on.
struct MassiveActivation {
    int layer = 0;           ///< whose update makes the token's L2 norm grow most
    ExtremeToken token;      ///< which one, and where it stands out most
    double norm_before = 0;  ///< L2 entering the layer
    double norm_behind = 0;  ///< L2 leaving it
    /// For people: "layer 4 lifts token 0 of window 2 from an L2 norm of 31.2 to 5120".
    std::string words() const;
};
/// Nothing when no token is extreme.
std::optional<MassiveActivation> massive_activation(const Statistics& statistics);

/// The layers that may go, ascending. `statistics` are needed only for the massive activation; without them nothing is known of it.
std::vector<int> removable_layers(int layers, const Protection& protection, const Statistics* statistics);

/// Blocks of n consecutive layers out of `removable`, by first layer.
std::vector<LayerSet> removable_blocks(const std::vector<int>& removable, int n);

}  // namespace suture
