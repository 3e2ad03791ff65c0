// SPDX-License-Identifier: GPL-3.0-or-later
// What a cut does to config.json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/layers.h"
#include "core/model/model.h"

namespace suture {

struct ConfigChange {
    std::string key;
    nlohmann::json from, to;  ///< null: absent
};

struct EditedConfig {
    nlohmann::ordered_json config;  ///< members in their order, spelling kept
    std::vector<ConfigChange> changes;
    std::vector<std::string> warnings;  ///< what other programs may get wrong
};

/// config.json of the model without `removed`: the layer count and every per-layer field follow the cut. `layer_types` and the like
/// are added where the pattern that is derived from the layer number no longer fits. Throws Error naming a list of one entry
/// per layer that the family does not know, because its meaning after the cut would be a guess.
EditedConfig pruned_config(const Model& model, const LayerSet& removed);

}  // namespace suture
