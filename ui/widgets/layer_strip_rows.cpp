// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layer_strip_rows.h"

#include <algorithm>

namespace suture {

LayerStripRows::LayerStripRows(int layer_count, const LayerSet& removed, int row_height) : row_height_(row_height) {
    const auto add = [this](int layer, bool is_seam) { rows_.push_back({layer, is_seam, int(rows_.size()) * row_height_}); };
    for (int layer = 0; layer <= layer_count; ++layer) {
        if (layer > 0 && removed.contains(layer - 1) && !removed.contains(layer)) add(layer, true);
        if (layer < layer_count) add(layer, false);
    }
}

int LayerStripRows::top_of_layer(int layer) const {
    const auto it = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.layer == layer && !row.is_seam; });
    return it == rows_.end() ? 0 : it->top;
}

std::optional<int> LayerStripRows::layer_at(int y) const {
    if (y < 0 || y >= height()) return {};
    const Row& row = rows_[std::size_t(y / row_height_)];
    return row.is_seam ? std::nullopt : std::optional(row.layer);
}

int LayerStripRows::nearest_layer(int y) const {
    const Row& row = rows_[std::size_t(std::clamp(y / row_height_, 0, int(rows_.size()) - 1))];
    return row.is_seam ? row.layer - 1 : row.layer;
}

}  // namespace suture
