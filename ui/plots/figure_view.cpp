// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/figure_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace suture {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double deepest_decades = 12;  // below the maximum, a logarithmic axis shows rounding noise only

/// Collects the smallest and largest of finite values.
struct Bounds {
    bool positive_only = false;
    double low = infinity, high = -infinity;

    void add(double value) {
        if (!std::isfinite(value) || (positive_only && value <= 0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void add(const std::vector<double>& values) {
        for (double v : values) add(v);
    }
    bool empty() const { return low > high; }
};

Extent map_extent(std::int64_t cells, double scale) { return {-0.5 * scale, (double(cells) - 0.5) * scale}; }

bool stands_on_zero(const Series& s) { return s.style == Series::Style::Bars || s.style == Series::Style::Impulses; }

bool has_bars(const Figure& figure) {
    return std::any_of(figure.series.begin(), figure.series.end(), [](const Series& s) { return s.style == Series::Style::Bars; });
}

Extent padded(const Bounds& b, double share_low, double share_high, bool log) {
    const double low = log ? std::log10(b.low) : b.low, high = log ? std::log10(b.high) : b.high;
    double size = high - low;
    if (size <= 0) size = log ? 1 : std::max(std::abs(high) * 0.2, 1e-12);
    const double from = low - share_low * size, to = high + share_high * size;
    return log ? Extent{std::pow(10.0, from), std::pow(10.0, to)} : Extent{from, to};
}

Extent with_fixed_ends(Extent extent, const Axis& axis, bool log) {
    if (axis.low && (!log || *axis.low > 0)) extent.low = *axis.low;
    if (axis.high && (!log || *axis.high > 0)) extent.high = *axis.high;
    if (extent.low >= extent.high) extent.high = log ? extent.low * 10 : extent.low + 1;
    return extent;
}

}  // namespace

bool can_be_log(const Figure& figure) {
    const auto positive = [](double v) { return v > 0 && std::isfinite(v); };
    if (figure.map) {
        const auto& values = figure.map->values.data;
        return !figure.map->diverging && std::any_of(values.begin(), values.end(), positive);
    }
    return std::any_of(figure.series.begin(), figure.series.end(),
                       [&](const Series& s) { return std::any_of(s.y.begin(), s.y.end(), positive); });
}

bool is_log(const Figure& figure, const FigureView& view) {
    return view.log.value_or(figure.map ? figure.map->log : figure.y.log) && can_be_log(figure);
}

Extent x_extent(const Figure& figure) {
    if (figure.map) return with_fixed_ends(map_extent(figure.map->values.size(1), figure.map->column_scale), figure.x, false);
    const bool log = figure.x.log;
    Bounds b{log};
    for (const Series& s : figure.series) b.add(s.x);
    for (const Span& span : figure.spans) {
        b.add(span.from);
        b.add(span.to);
    }
    if (b.empty()) return with_fixed_ends(log ? Extent{1, 10} : Extent{0, 1}, figure.x, log);
    const bool places = (figure.x.integers || !figure.x.labels.empty()) && !log;
    if (has_bars(figure)) return with_fixed_ends({b.low - 0.65, b.high + 0.65}, figure.x, log);
    if (places && b.high - b.low <= 300) return with_fixed_ends({b.low - 0.5, b.high + 0.5}, figure.x, log);
    return with_fixed_ends(padded(b, 0.015, 0.015, log), figure.x, log);
}

Extent y_extent(const Figure& figure, bool log) {
    if (figure.map) return with_fixed_ends(map_extent(figure.map->values.size(0), figure.map->row_scale), figure.y, false);
    Bounds b{log};
    for (const Series& s : figure.series) {
        b.add(s.y);
        b.add(s.low);
        b.add(s.high);
        if (stands_on_zero(s)) b.add(0.0);
    }
    for (const Guide& guide : figure.guides) b.add(guide.y);
    if (b.empty()) return with_fixed_ends(log ? Extent{1, 10} : Extent{0, 1}, figure.y, log);
    if (log) b.low = std::max(b.low, b.high * std::pow(10.0, -deepest_decades));
    const bool on_zero = !log && b.low == 0 && std::any_of(figure.series.begin(), figure.series.end(), stands_on_zero);
    return with_fixed_ends(padded(b, on_zero ? 0 : 0.06, has_bars(figure) ? 0.12 : 0.06, log), figure.y, log);
}

Extent colour_extent(const HeatMap& map, bool log) {
    Bounds b{log};
    b.add(map.values.data);
    if (b.empty()) return log ? Extent{1, 10} : Extent{0, 1};
    if (map.diverging) {
        const double reach = std::max({map.centre - b.low, b.high - map.centre, map.reach, 1e-12});
        return {map.centre - reach, map.centre + reach};
    }
    if (log) b.low = std::max(b.low, b.high * std::pow(10.0, -deepest_decades));
    if (b.low < b.high) return {b.low, b.high};
    return log ? Extent{b.low / 2, b.high * 2} : Extent{b.low - 0.5, b.high + 0.5};
}

}  // namespace suture
