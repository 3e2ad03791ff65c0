// SPDX-License-Identifier: GPL-3.0-or-later
// A plot as data: what the window draws, and what is saved as CSV. Knows nothing of widgets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/array.h"

namespace suture {

/// What a curve or bar means; each role has one colour in the whole program.
enum class Role { Dense, Unpatched, Patched, Removed, Neutral, Accent };

struct Axis {
    std::string title;  ///< with its unit, e.g. "mean |x| (activation units)"
    bool log = false;
    bool integers = false;            ///< ticks only at whole numbers
    std::vector<std::string> labels;  ///< names at 0, 1, 2, … instead of numbers; empty: numbers
    std::optional<double> low, high;  ///< fixed ends; otherwise the data decide
};

struct Series {
    enum class Style { Line, Points, LineAndPoints, Impulses, Bars };
    std::string name;  ///< in the legend
    Role role = Role::Neutral;
    Style style = Style::Line;
    std::vector<double> x, y;
    std::vector<double> low, high = {};          ///< ends of an interval per point; empty: none
    std::vector<std::string> point_labels = {};  ///< read-out per point, e.g. a token's text; empty: none
};

/// A heat map: cell (row, column) of `values` lies at y = row, x = column. NaN cells stay blank.
struct HeatMap {
    Matrix values;            ///< [rows, columns]
    std::string value_title;  ///< colour bar title with its unit
    bool diverging = false;   ///< signed values, colours around `centre`
    bool log = false;
    double centre = 0;
    double reach = 0;                             ///< diverging: the colours span at least centre ± reach
    double column_scale = 1, row_scale = 1;       ///< axis units per cell after pooling (x = column · column_scale)
    bool rows_downwards = false;                  ///< row 0 on top
    std::vector<std::string> column_labels = {};  ///< read-out per column, e.g. a token's text; empty: none
};

/// A marked stretch of the x axis, ends included, e.g. the removed layers.
struct Span {
    double from = 0, to = 0;
    Role role = Role::Removed;
    std::string name;
};

/// A horizontal line with a meaning, e.g. ratio 1.
struct Guide {
    double y = 0;
    std::string name;
};

struct Figure {
    std::string id;       ///< file name without ending, e.g. "similarity-neighbours"
    std::string title;    ///< what is seen, in words
    std::string caption;  ///< conditions the numbers rest on; shown small
    std::string empty;    ///< why there is nothing to draw and what to do; empty when there is data
    Axis x, y;
    std::vector<Series> series;
    std::optional<HeatMap> map;
    std::vector<Span> spans;
    std::vector<Guide> guides;

    /// Exactly what is drawn: long form for series (series, x, y, low, high, label), row/column/value for a map.
    std::string to_csv() const;
};

/// Shrinks a matrix to at most `side` × `side` cells, each the value of largest magnitude in its block, so that single
/// massive channels stay visible. Returns the matrix itself when it is small enough.
Matrix pooled_by_magnitude(const Matrix& values, std::int64_t side);

}  // namespace suture
