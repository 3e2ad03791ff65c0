// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/read_out.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>

namespace suture {
namespace {

struct Nearest {
    std::size_t series = 0, point = 0;
    double along = std::numeric_limits<double>::infinity(), across = along;
    bool found() const { return std::isfinite(along); }
};

QString number(double value) { return std::isnan(value) ? QStringLiteral("no value") : QLocale::c().toString(value, 'g', 5); }

/// On one line: a token may be a line break.
QString one_line(const std::string& text) { return QString::fromStdString(text).replace('\n', QStringLiteral("↵")); }

QString without_unit(const std::string& title) {
    const QString words = QString::fromStdString(title);
    const auto unit = words.lastIndexOf(QStringLiteral(" ("));
    return unit > 0 ? words.left(unit) : words;
}

/// "layer 13", or the name at that place.
QString place(const Axis& axis, double at) {
    const auto index = std::size_t(std::max(0L, std::lround(at)));
    if (index < axis.labels.size()) return QString::fromStdString(axis.labels[index]);
    return without_unit(axis.title) + ' ' + (axis.integers ? QString::number(std::lround(at)) : number(at));
}

bool scattered(const Figure& figure) {
    return std::all_of(figure.series.begin(), figure.series.end(), [](const Series& s) { return s.style == Series::Style::Points; });
}

/// The point nearest along x (and then along y); for scattered points the one nearest in both.
void look_for_nearest(const Series& s, std::size_t index, const QPointF& cursor, bool in_both,
                      const std::function<QPointF(double, double)>& pixel_of, Nearest& best) {
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        if (std::isnan(s.y[i])) continue;
        const QPointF difference = pixel_of(s.x[i], s.y[i]) - cursor;
        const double along = in_both ? std::hypot(difference.x(), difference.y()) : std::abs(difference.x());
        const double across = std::abs(difference.y());
        if (along < best.along - 0.01 || (along < best.along + 0.01 && across < best.across)) best = {index, i, along, across};
    }
}

QString point_line(const Series& s, std::size_t i) {
    QString line = QString::fromStdString(s.name) + ' ' + number(s.y[i]);
    if (i < s.low.size() && i < s.high.size()) line += QStringLiteral(" [%1, %2]").arg(number(s.low[i]), number(s.high[i]));
    return line.trimmed();
}

std::optional<ReadOut> read_series(const Figure& figure, const FigureView& view, const QPointF& cursor,
                                   const std::function<QPointF(double, double)>& pixel_of) {
    const auto shown = [&](const Series& s) { return !view.hidden.contains(s.name); };
    const bool in_both = scattered(figure);
    Nearest best;
    for (std::size_t s = 0; s < figure.series.size(); ++s)
        if (shown(figure.series[s])) look_for_nearest(figure.series[s], s, cursor, in_both, pixel_of, best);
    if (!best.found()) return {};
    const Series& nearest = figure.series[best.series];
    ReadOut result{nearest.x[best.point], nearest.y[best.point], {}};
    result.lines << place(figure.x, result.x);
    if (best.point < nearest.point_labels.size() && !nearest.point_labels[best.point].empty())
        result.lines[0] += QStringLiteral(" · ") + one_line(nearest.point_labels[best.point]);
    for (const Series& s : figure.series) {
        if (!shown(s)) continue;
        std::size_t i = &s == &nearest ? best.point : 0;
        if (&s != &nearest) i = std::size_t(std::find(s.x.begin(), s.x.end(), result.x) - s.x.begin());
        if (i < s.x.size() && (!in_both || &s == &nearest)) result.lines << point_line(s, i);
    }
    return result;
}

std::optional<ReadOut> read_map(const Figure& figure, const QPointF& at) {
    const HeatMap& map = *figure.map;
    const auto row = std::lround(at.y() / map.row_scale), column = std::lround(at.x() / map.column_scale);
    if (row < 0 || column < 0 || row >= map.values.size(0) || column >= map.values.size(1)) return {};
    ReadOut result{double(column) * map.column_scale, double(row) * map.row_scale, {}};
    const auto index = std::size_t(column);
    QString across = place(figure.x, result.x);
    if (index < map.column_labels.size()) across += QStringLiteral(" “%1”").arg(one_line(map.column_labels[index]));
    result.lines << across << place(figure.y, result.y) << without_unit(map.value_title) + ' ' + number(map.values.at(row, column));
    return result;
}

}  // namespace

std::optional<ReadOut> read_out(const Figure& figure, const FigureView& view, const QPointF& cursor,
                                const std::function<QPointF(double, double)>& pixel_of, const QPointF& cursor_in_units) {
    return figure.map ? read_map(figure, cursor_in_units) : read_series(figure, view, cursor, pixel_of);
}

}  // namespace suture
