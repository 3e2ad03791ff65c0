// SPDX-License-Identifier: GPL-3.0-or-later
// How a person looks at a figure right now, and how far its axes reach.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "core/base/figure.h"

namespace suture {

/// Two ends of an axis in its units, low < high.
struct Extent {
    double low = 0, high = 1;
    bool operator==(const Extent&) const = default;
};

/// What differs from the figure as given; a default-constructed view shows all of it.
struct FigureView {
    std::optional<bool> log;       ///< of the y axis, or of the colours of a map; nothing: as the figure says
    std::set<std::string> hidden;  ///< names of series that are switched off
    std::optional<Extent> x, y;    ///< the part zoomed into
};

/// Whether there are positive values that a logarithmic scale could show. Never for maps around a centre.
bool can_be_log(const Figure& figure);
/// Whether the y axis (or the colours of a map) are logarithmic in this view.
bool is_log(const Figure& figure, const FigureView& view);

/// The ends of the axes that show everything with a margin around it; ends fixed by the figure are kept.
Extent x_extent(const Figure& figure);
Extent y_extent(const Figure& figure, bool log);
/// The range of the colours: positive values only when `log`, symmetric around the centre when diverging.
Extent colour_extent(const HeatMap& map, bool log);

}  // namespace suture
