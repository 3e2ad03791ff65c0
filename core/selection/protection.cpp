// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/protection.h"

#include <algorithm>
#include <cstdio>

namespace suture {

nlohmann::json Protection::to_json() const {
    return {{"layers", layers.layers()}, {"ends", ends}, {"massive_activation", massive_activation}};
}

std::optional<MassiveActivation> massive_activation(const Statistics& statistics) {
    if (statistics.extreme_tokens.empty()) return std::nullopt;
    MassiveActivation found{.token = statistics.extreme_tokens.front()};
    const std::int64_t place = statistics.window_begin[std::size_t(found.token.window)] + found.token.position;
    double growth = 0;
    for (int l = 0; l < statistics.layers; ++l) {
        const double before = double(statistics.token_l2.at(l, place)), behind = double(statistics.token_l2.at(l + 1, place));
        if (behind - before <= growth) continue;
        growth = behind - before;
        found.layer = l;
        found.norm_before = before;
        found.norm_behind = behind;
    }
    if (growth == 0) return std::nullopt;  // the embeddings are that large already
    return found;
}

std::string MassiveActivation::words() const {
    char text[160];
    std::snprintf(text, sizeof text, "layer %d lifts token %lld of window %lld from an L2 norm of %.3g to %.4g", layer,
                  static_cast<long long>(token.position), static_cast<long long>(token.window), norm_before, norm_behind);
    return text;
}

std::vector<int> removable_layers(int layers, const Protection& protection, const Statistics* statistics) {
    const auto massive = protection.massive_activation && statistics ? massive_activation(*statistics) : std::nullopt;
    std::vector<int> removable;
    for (int l = protection.ends; l < layers - protection.ends; ++l)
        if (!protection.layers.contains(l) && !(massive && massive->layer == l)) removable.push_back(l);
    return removable;
}

std::vector<LayerSet> removable_blocks(const std::vector<int>& removable, int n) {
    std::vector<LayerSet> blocks;
    for (std::size_t i = 0; i + std::size_t(n) <= removable.size(); ++i)
        if (removable[i + std::size_t(n) - 1] - removable[i] == n - 1) blocks.push_back(LayerSet::range(removable[i], n));
    return blocks;
}

}  // namespace suture
