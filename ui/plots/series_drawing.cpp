// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/series_drawing.h"

#include <algorithm>

#include "ui/plots/bar_drawing.h"
#include "ui/theme/colours.h"

namespace suture {
namespace {

// QCustomPlot strokes a pen wider than one pixel slowly, so only few points get one.
constexpr std::size_t few_points = 200;
constexpr std::size_t few_marks = 80;

/// How many series in front of this one have its role and kind.
std::ptrdiff_t alike_before(const Figure& figure, std::size_t index) {
    const Series& series = figure.series[index];
    const auto bars = [](const Series& s) { return s.style == Series::Style::Bars; };
    return std::count_if(figure.series.begin(), figure.series.begin() + std::ptrdiff_t(index),
                         [&](const Series& s) { return s.role == series.role && bars(s) == bars(series); });
}

/// A second sign of the meaning, for print and colour-blind readers; repeated roles get others.
QCPScatterStyle::ScatterShape mark_of(Role role, std::ptrdiff_t alike) {
    if (alike > 0) {
        constexpr QCPScatterStyle::ScatterShape others[] = {QCPScatterStyle::ssTriangleInverted, QCPScatterStyle::ssDisc,
                                                            QCPScatterStyle::ssCrossSquare, QCPScatterStyle::ssPlusCircle,
                                                            QCPScatterStyle::ssStar};
        return others[(alike - 1) % std::ptrdiff_t(std::size(others))];
    }
    switch (role) {
        case Role::Unpatched:
            return QCPScatterStyle::ssSquare;
        case Role::Patched:
            return QCPScatterStyle::ssDiamond;
        case Role::Removed:
            return QCPScatterStyle::ssCross;
        case Role::Accent:
            return QCPScatterStyle::ssTriangle;
        default:
            return QCPScatterStyle::ssCircle;
    }
}

/// The series' own colour: repeated roles are set apart by lighter shades of the same hue.
QColor series_colour(const Figure& figure, std::size_t index, Theme theme) {
    return blended(role_colour(figure.series[index].role, theme), paper_colours(theme).paper,
                   std::min(0.6, 0.3 * double(alike_before(figure, index))));
}

/// The band between the ends of the intervals of a dense line.
void draw_band(QCPAxisRect& axes, const Series& series, const QColor& colour) {
    auto* plot = axes.parentPlot();
    auto* low = plot->addGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    auto* high = plot->addGraph(low->keyAxis(), low->valueAxis());
    low->setData(to_qvector(series.x), to_qvector(series.low));
    high->setData(to_qvector(series.x), to_qvector(series.high));
    QColor shade = colour;
    shade.setAlpha(45);
    low->setPen(Qt::NoPen);
    high->setPen(Qt::NoPen);
    high->setBrush(shade);
    high->setChannelFillGraph(low);
}

void draw_curve(QCPAxisRect& axes, const Figure& figure, std::size_t index, const QColor& colour, const QColor& paper, LegendEntry& entry) {
    const Series& series = figure.series[index];
    const bool dense = series.x.size() > few_points;
    auto* graph = axes.parentPlot()->addGraph(axes.axis(QCPAxis::atBottom), axes.axis(QCPAxis::atLeft));
    graph->setData(to_qvector(series.x), to_qvector(series.y), std::is_sorted(series.x.begin(), series.x.end()));
    QPen pen(colour, dense ? 1.0 : 2.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    const bool points = series.style == Series::Style::Points;
    const bool marked = points || (series.style == Series::Style::LineAndPoints && series.x.size() <= few_marks);
    if (series.style == Series::Style::Impulses) {
        if (series.x.size() <= few_marks) pen.setWidthF(3);
        pen.setCapStyle(Qt::FlatCap);
        graph->setLineStyle(QCPGraph::lsImpulse);
    } else if (points) {
        graph->setLineStyle(QCPGraph::lsNone);
    }
    if (marked) {
        const QColor rim = points ? colour : paper;
        entry.mark = QCPScatterStyle(mark_of(series.role, alike_before(figure, index)), QPen(rim, 1), colour,
                                     dense                         ? 3
                                     : series.x.size() > few_marks ? 5
                                                                   : 8);
        if (series.role == Role::Removed) entry.mark.setPen(QPen(colour, 2));
        graph->setScatterStyle(entry.mark);
    }
    graph->setPen(pen);
    if (!points) entry.line = QPen(colour, 2);
    if (series.low.size() == series.x.size() && !series.x.empty()) {
        if (series.x.size() > few_marks) draw_band(axes, series, colour);
        else draw_error_bars(*graph, series, colour);
    }
}

/// From the bottom to the top: the first series, usually the reference, above the others; points above everything else.
std::vector<std::size_t> drawing_order(const Figure& figure) {
    std::vector<std::size_t> order;
    for (std::size_t i = figure.series.size(); i-- > 0;) order.push_back(i);
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return figure.series[i].style != Series::Style::Points; });
    return order;
}

}  // namespace

QVector<double> to_qvector(const std::vector<double>& values) { return QVector<double>(values.begin(), values.end()); }

std::vector<LegendEntry> draw_series(QCustomPlot& plot, QCPAxisRect& axes, const Figure& figure, const FigureView& view, Theme theme) {
    const PaperColours paper = paper_colours(theme);
    std::vector<LegendEntry> entries(figure.series.size());
    BarGroups groups(plot, figure, is_log(figure, view));
    for (std::size_t i : drawing_order(figure)) {
        const Series& series = figure.series[i];
        const QColor colour = series_colour(figure, i, theme);
        LegendEntry& entry = entries[i];
        entry.name = QString::fromStdString(series.name);
        entry.shown = !view.hidden.contains(series.name);
        entry.series = int(i);
        if (series.style == Series::Style::Bars) groups.draw(axes, i, colour, paper.text, entry);
        else if (entry.shown) draw_curve(axes, figure, i, colour, paper.paper, entry);
        else entry.line = QPen(colour, 2);
    }
    return entries;
}

std::vector<LegendEntry> draw_spans(QCustomPlot& plot, QCPAxisRect& axes, const Figure& figure, Theme theme) {
    std::vector<LegendEntry> entries;
    const double half = figure.x.integers || !figure.x.labels.empty() || figure.map ? 0.5 : 0;
    for (const Span& span : figure.spans) {
        QColor shade = role_colour(span.role, theme);
        const QColor edge = shade;
        shade.setAlpha(theme == Theme::Dark ? 60 : 45);
        auto* item = new QCPItemRect(&plot);
        item->setLayer(figure.map ? "overlay" : "background");
        item->setPen(figure.map ? QPen(edge, 2) : QPen(Qt::NoPen));
        item->setBrush(figure.map ? QBrush(Qt::NoBrush) : QBrush(shade));
        item->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->topLeft->setAxisRect(&axes);
        item->bottomRight->setAxisRect(&axes);
        item->topLeft->setCoords(span.from - half, 0);
        item->bottomRight->setCoords(span.to + half, 1);
        if (!span.name.empty()) {
            LegendEntry entry{.name = QString::fromStdString(span.name)};
            shade.setAlpha(110);
            entry.box = QBrush(shade);
            const auto same = [&](const LegendEntry& e) { return e.name == entry.name; };
            if (std::none_of(entries.begin(), entries.end(), same)) entries.push_back(entry);
        }
    }
    return entries;
}

std::vector<LegendEntry> draw_guides(QCustomPlot& plot, QCPAxisRect&, const Figure& figure, Theme theme) {
    std::vector<LegendEntry> entries;
    for (const Guide& guide : figure.guides) {
        const QPen pen(paper_colours(theme).muted, 1, Qt::DashLine);
        auto* line = new QCPItemStraightLine(&plot);
        line->setLayer("overlay");
        line->setPen(pen);
        for (auto* point : {line->point1, line->point2}) point->setTypeX(QCPItemPosition::ptAxisRectRatio);
        line->point1->setCoords(0, guide.y);
        line->point2->setCoords(1, guide.y);
        if (!guide.name.empty()) {
            LegendEntry entry{.name = QString::fromStdString(guide.name)};
            entry.line = pen;
            entries.push_back(entry);
        }
    }
    return entries;
}

}  // namespace suture
