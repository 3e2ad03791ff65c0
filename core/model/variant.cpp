// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/variant.h"

#include <nlohmann/json.hpp>

namespace suture {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const Array<T>& array) {
    return std::as_bytes(std::span(array.data));
}

std::span<const std::byte> bytes_of(const double& value) { return std::as_bytes(std::span(&value, 1)); }

}  // namespace

std::string StreamMap::digest() const {
    Sha256 hash;
    hash.update(kind + (hadamard ? "|H|" : "|"));
    hash.update(bytes_of(scale));
    hash.update("|");
    hash.update(bytes_of(matrix));
    hash.update("|");
    hash.update(bytes_of(bias));
    if (!left.empty()) {
        hash.update("|L·R|" + std::to_string(left.size(1)));
        hash.update(bytes_of(left));
        hash.update(bytes_of(right));
    }
    if (norm_eps > 0) {
        hash.update("|norm|");
        hash.update(bytes_of(norm_eps));
    }
    return hash.hex();
}

std::string LayerEdit::digest() const {
    Sha256 hash;
    hash.update(bytes_of(branch_scale));
    for (const auto& [name, values] : tensors) {
        hash.update("|" + name + "|");
        hash.update(bytes_of(values));
    }
    return hash.hex();
}

std::string Step::name() const {
    if (map) return map->digest();
    return std::to_string(layer) + (edit ? "+" + edit->digest() : "");
}

Variant Variant::with_map(int before_layer, std::shared_ptr<const StreamMap> map) const {
    Variant changed = *this;
    changed.maps_[before_layer] = std::move(map);
    return changed;
}

Variant Variant::with_edit(int layer, LayerEdit edit) const {
    Variant changed = *this;
    if (const auto it = edits_.find(layer); it != edits_.end()) {
        edit.tensors.insert(it->second->tensors.begin(), it->second->tensors.end());  // keeps what is new
        edit.branch_scale *= it->second->branch_scale;
    }
    changed.edits_[layer] = std::make_shared<const LayerEdit>(std::move(edit));
    return changed;
}

std::vector<Step> Variant::steps(int layer_count) const {
    std::vector<Step> steps;
    for (int layer = 0; layer <= layer_count; ++layer) {
        if (const auto it = maps_.find(layer); it != maps_.end()) steps.push_back({.map = it->second});
        if (layer == layer_count || removed_.contains(layer)) continue;
        const auto edit = edits_.find(layer);
        steps.push_back({.layer = layer, .edit = edit == edits_.end() ? nullptr : edit->second});
    }
    return steps;
}

nlohmann::json Variant::to_json() const {
    nlohmann::json maps = nlohmann::json::object();
    for (const auto& [layer, map] : maps_) maps[std::to_string(layer)] = map->digest();
    nlohmann::json json{{"removed", removed_.layers()}, {"maps", maps}};
    for (const auto& [layer, edit] : edits_) json["edits"][std::to_string(layer)] = edit->digest();
    return json;
}

std::string prefix_digest(const std::vector<Step>& steps, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += steps[i].name() + ";";
    return sha256_hex(text);
}

}  // namespace suture
