// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/variant.h"

#include <nlohmann/json.hpp>

namespace suture {

std::string StreamMap::digest() const {
    Sha256 hash;
    hash.update(kind + (hadamard ? "|H|" : "|"));
    hash.update(std::as_bytes(std::span(scale.data)));
    hash.update("|");
    hash.update(std::as_bytes(std::span(matrix.data)));
    hash.update("|");
    hash.update(std::as_bytes(std::span(bias.data)));
    return hash.hex();
}

Variant Variant::with_map(int before_layer, std::shared_ptr<const StreamMap> map) const {
    Variant changed = *this;
    changed.maps_[before_layer] = std::move(map);
    return changed;
}

std::vector<Step> Variant::steps(int layer_count) const {
    std::vector<Step> steps;
    for (int layer = 0; layer <= layer_count; ++layer) {
        if (const auto it = maps_.find(layer); it != maps_.end()) steps.push_back({-1, it->second});
        if (layer < layer_count && !removed_.contains(layer)) steps.push_back({layer, nullptr});
    }
    return steps;
}

nlohmann::json Variant::to_json() const {
    nlohmann::json maps = nlohmann::json::object();
    for (const auto& [layer, map] : maps_) maps[std::to_string(layer)] = map->digest();
    return {{"removed", removed_.layers()}, {"maps", maps}};
}

std::string prefix_digest(const std::vector<Step>& steps, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += steps[i].map ? steps[i].map->digest() + ";" : std::to_string(steps[i].layer) + ";";
    return sha256_hex(text);
}

}  // namespace suture
