// SPDX-License-Identifier: GPL-3.0-or-later
// Where the rows of a layer strip lie: a row per layer, and one behind each run of removed layers for its seam.
#pragma once

#include <optional>
#include <vector>

#include "core/base/layers.h"

namespace suture {

class LayerStripRows {
public:
    struct Row {
        int layer = 0;  ///< for a seam: the layer behind it
        bool is_seam = false;
        int top = 0;  ///< pixels from the first row's top
    };

    LayerStripRows() = default;
    LayerStripRows(int layer_count, const LayerSet& removed, int row_height);

    const std::vector<Row>& rows() const { return rows_; }
    int row_height() const { return row_height_; }
    int height() const { return int(rows_.size()) * row_height_; }
    /// Pixels from the first row's top.
    int top_of_layer(int layer) const;
    /// The layer whose row lies at this height; nothing for a seam or outside.
    std::optional<int> layer_at(int y) const;
    /// The same, but a seam counts as the removed layer in front of it and outside as the first or last: for dragging.
    int nearest_layer(int y) const;

private:
    std::vector<Row> rows_;
    int row_height_ = 20;
};

}  // namespace suture
