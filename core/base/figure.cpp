// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/figure.h"

#include <algorithm>
#include <cmath>

#include "core/base/table.h"

namespace suture {
namespace {

Table series_table(const Figure& figure) {
    Table table{.columns = {{"series"}, {figure.x.title}, {figure.y.title}, {"low"}, {"high"}, {"label"}}};
    for (const Series& s : figure.series)
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            const bool interval = i < s.low.size() && i < s.high.size();
            const auto index = std::size_t(s.x[i]);
            Cell label;
            if (i < s.point_labels.size()) label = s.point_labels[i];
            else if (index < figure.x.labels.size()) label = figure.x.labels[index];
            table.rows.push_back({s.name, s.x[i], s.y[i], interval ? Cell(s.low[i]) : Cell(), interval ? Cell(s.high[i]) : Cell(), label});
        }
    return table;
}

Table map_table(const Figure& figure) {
    const HeatMap& map = *figure.map;
    Table table{.columns = {{figure.y.title}, {figure.x.title}, {map.value_title}}};
    for (std::int64_t r = 0; r < map.values.size(0); ++r)
        for (std::int64_t c = 0; c < map.values.size(1); ++c)
            if (!std::isnan(map.values.at(r, c)))
                table.rows.push_back({double(r) * map.row_scale, double(c) * map.column_scale, map.values.at(r, c)});
    return table;
}

}  // namespace

std::string Figure::to_csv() const { return (map ? map_table(*this) : series_table(*this)).to_csv(); }

Matrix pooled_by_magnitude(const Matrix& values, std::int64_t side) {
    const std::int64_t rows = values.size(0), columns = values.size(1);
    if (rows <= side && columns <= side) return values;
    const std::int64_t out_rows = std::min(rows, side), out_columns = std::min(columns, side);
    Matrix pooled({out_rows, out_columns});
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto source = values.row(r);
        const auto target = pooled.row(r * out_rows / rows);
        for (std::int64_t c = 0; c < columns; ++c) {
            double& cell = target[std::size_t(c * out_columns / columns)];
            if (std::abs(source[std::size_t(c)]) > std::abs(cell)) cell = source[std::size_t(c)];
        }
    }
    return pooled;
}

}  // namespace suture
