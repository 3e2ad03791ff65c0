// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/merges.h"

namespace suture {

std::map<int, LayerSet> merges_of(const Variant& variant) {
    std::map<int, LayerSet> merges;
    for (const auto& [layer, edit] : variant.edits()) {
        LayerSet& taken = merges[layer];
        for (int l = layer + 1; variant.removed().contains(l); ++l) taken = taken.with(l);
    }
    return merges;
}

nlohmann::json merges_json(const Variant& variant) {
    auto list = nlohmann::json::array();
    for (const auto& [layer, taken] : merges_of(variant)) list.push_back({{"layer", layer}, {"takes_up", taken.layers()}});
    return list;
}

}  // namespace suture
