// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/share.h"

#include <nlohmann/json.hpp>

namespace suture {

std::string mergekit_yaml(const std::string& model, const LayerSet& removed, int layers, const std::string& dtype) {
    const std::string name = nlohmann::json(model).dump();  // a JSON string is a YAML string, whatever is in it
    std::string yaml = "slices:\n";
    for (const Seam& kept : seams_of(removed.complement(layers)))  // runs of kept layers, as runs of removed ones elsewhere
        yaml += "  - sources:\n      - model: " + name + "\n        layer_range: [" + std::to_string(kept.start) + ", " +
                std::to_string(kept.end) + "]\n";
    return yaml + "merge_method: passthrough\ndtype: " + dtype + "\n";
}

std::string prune_layers_list(const LayerSet& removed) {
    std::string list;
    for (const int layer : removed.layers()) list += (list.empty() ? "" : ",") + std::to_string(layer);
    return list;
}

}  // namespace suture
