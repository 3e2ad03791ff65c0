// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/bar_drawing.h"

#include <cmath>
#include <map>

namespace suture {
namespace {

constexpr double place = 0.76;              // share of the distance between two places that bars take
constexpr std::size_t labelled_bars = 16;   // more values than this would overlap
constexpr std::size_t too_many_bars = 256;  // QCustomPlot draws many bars slowly; impulses look the same at that density

}  // namespace

void draw_error_bars(QCPAbstractPlottable& plottable, const Series& series, const QColor& colour) {
    auto* bars = new QCPErrorBars(plottable.keyAxis(), plottable.valueAxis());
    QVector<double> minus, plus;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        minus.append(series.y[i] - series.low[i]);
        plus.append(series.high[i] - series.y[i]);
    }
    bars->setDataPlottable(&plottable);
    bars->setData(minus, plus);
    bars->setPen(QPen(colour, 1.4));
    bars->setWhiskerWidth(7);
    bars->setSymbolGap(0);
}

BarGroups::BarGroups(QCustomPlot& plot, const Figure& figure, bool log) : plot_(plot), figure_(figure), log_(log) {
    std::map<double, int> places;
    for (std::size_t i = 0; i < figure.series.size(); ++i) {
        if (figure.series[i].style != Series::Style::Bars) continue;
        beside_.push_back(i);
        bars_ += figure.series[i].x.size();
        for (double x : figure.series[i].x) ++places[x];
    }
    if (std::all_of(places.begin(), places.end(), [](const auto& p) { return p.second == 1; })) beside_.clear();
}

void BarGroups::draw(QCPAxisRect& axes, std::size_t index, const QColor& colour, const QColor& text, LegendEntry& entry) {
    const Series& series = figure_.series[index];
    entry.box = colour;
    if (!entry.shown) return;
    const double count = beside_.empty() ? 1 : double(beside_.size());
    const auto rank = double(std::find(beside_.begin(), beside_.end(), index) - beside_.begin());
    const double offset = beside_.empty() ? 0 : ((rank + 0.5) / count - 0.5) * place;
    auto* x_axis = axes.axis(QCPAxis::atBottom);
    auto* y_axis = axes.axis(QCPAxis::atLeft);
    QVector<double> x = to_qvector(series.x);
    for (double& v : x) v += offset;
    QCPAbstractPlottable* plottable = nullptr;
    if (series.x.size() > too_many_bars) {
        auto* graph = plot_.addGraph(x_axis, y_axis);
        graph->setLineStyle(QCPGraph::lsImpulse);
        graph->setData(x, to_qvector(series.y));
        graph->setPen(QPen(colour, 1));
        plottable = graph;
    } else {
        auto* bars = new QCPBars(x_axis, y_axis);
        bars->setWidth(place / count * (count > 1 ? 0.92 : 0.8));
        bars->setData(x, to_qvector(series.y));
        bars->setPen(Qt::NoPen);
        bars->setBrush(colour);
        plottable = bars;
    }
    if (series.low.size() == series.x.size() && series.high.size() == series.x.size() && !series.x.empty())
        draw_error_bars(*plottable, series, text);
    if (bars_ <= labelled_bars) write_values(axes, series, offset, text);
}

void BarGroups::write_values(QCPAxisRect& axes, const Series& series, double offset, const QColor& text) const {
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        if (!std::isfinite(series.y[i]) || (log_ && series.y[i] <= 0)) continue;
        const bool down = series.y[i] < 0;
        const double end = down                     ? (i < series.low.size() ? series.low[i] : series.y[i])
                           : i < series.high.size() ? series.high[i]
                                                    : series.y[i];
        auto* label = new QCPItemText(&plot_);
        label->position->setAxes(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
        label->position->setCoords(series.x[i] + offset, end);
        label->setPositionAlignment(Qt::AlignHCenter | (down ? Qt::AlignTop : Qt::AlignBottom));
        label->setPadding(QMargins(0, 3, 0, 3));
        label->setText(QLocale::c().toString(series.y[i], 'g', 4));
        label->setColor(text);
        label->setFont(plot_.font());
        label->setClipToAxisRect(true);
        label->setLayer("overlay");
    }
}

}  // namespace suture
