// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/drawing.h"

#include "ui/plots/map_drawing.h"
#include "ui/plots/series_drawing.h"
#include "ui/theme/colours.h"

namespace suture {
namespace {

enum Row { title_row, legend_row, body_row, caption_row };
constexpr int pixels_per_x_tick = 70, pixels_per_y_tick = 42;

QFont scaled(QFont font, double factor, bool bold = false) {
    if (font.pointSizeF() > 0) font.setPointSizeF(font.pointSizeF() * factor);
    else font.setPixelSize(int(font.pixelSize() * factor + 0.5));
    font.setBold(bold);
    return font;
}

/// Back to an empty canvas with the layers every drawing uses: background < grid < main < axes < overlay.
void clear(QCustomPlot& plot) {
    plot.clearItems();
    plot.clearPlottables();
    plot.plotLayout()->clear();
    plot.plotLayout()->simplify();
    if (!plot.layer("overlay")) plot.addLayer("overlay", plot.layer("axes"));
    plot.setCurrentLayer("main");
}

}  // namespace

Drawing::Drawing(QCustomPlot& plot, const Figure& figure, const FigureView& view, Theme theme)
    : plot_(plot), figure_(figure), view_(view), theme_(theme) {
    clear(plot);
    const PaperColours colours = paper_colours(theme);
    plot.setLocale(QLocale::c());
    plot.setBackground(colours.paper);
    plot.setPlottingHint(QCP::phFastPolylines);
    plot.setNoAntialiasingOnDrag(false);
    plot.plotLayout()->setMargins({});
    plot.plotLayout()->setMinimumMargins(QMargins(14, 12, 14, 10));
    plot.plotLayout()->setRowSpacing(6);
    add_text(title_row, figure.title, scaled(plot.font(), 1.08, true), colours.text);
    if (figure.empty.empty()) add_axes();
    else add_message(figure.empty);
    add_text(caption_row, figure.caption, scaled(plot.font(), 0.88), colours.muted);
    plot.plotLayout()->simplify();  // rows without an element
}

void Drawing::add_text(int row, const std::string& text, const QFont& font, const QColor& colour) {
    if (text.empty()) return;
    texts_.push_back(new WrappedText(&plot_, QString::fromStdString(text), font, colour));
    plot_.plotLayout()->addElement(row, 0, texts_.back());
}

void Drawing::add_message(const std::string& message) {
    auto* text =
        new WrappedText(&plot_, QString::fromStdString(message), scaled(plot_.font(), 1.05), paper_colours(theme_).muted, Qt::AlignCenter);
    text->fill();
    plot_.plotLayout()->addElement(body_row, 0, text);
}

void Drawing::add_axes() {
    const bool log = is_log(figure_, view_);
    const PaperColours colours = paper_colours(theme_);
    axes_ = new QCPAxisRect(&plot_);
    axes_->setMinimumMargins(QMargins(0, 4, 2, 0));
    auto* body = new QCPLayoutGrid;
    body->addElement(0, 0, axes_);
    body->setColumnSpacing(12);
    plot_.plotLayout()->addElement(body_row, 0, body);
    plot_.plotLayout()->setRowStretchFactor(body_row, 100);
    plot_.xAxis = x();  // new items look for their axes here
    plot_.yAxis = y();
    home_x_ = x_extent(figure_);
    home_y_ = y_extent(figure_, log);
    set_up_axis(*x(), figure_.x, figure_.x.log && home_x_.low > 0, view_.x.value_or(home_x_));
    set_up_axis(*y(), figure_.y, !figure_.map && log, view_.y.value_or(home_y_));
    y()->setRangeReversed(figure_.map && figure_.map->rows_downwards);
    if (figure_.map) add_colour_bar(draw_map(plot_, *axes_, *figure_.map, log, theme_), *figure_.map, log);
    if (colour_bar_) body->addElement(0, 1, colour_bar_);

    auto entries = draw_series(plot_, *axes_, figure_, view_, theme_);
    for (auto more : {draw_spans(plot_, *axes_, figure_, theme_), draw_guides(plot_, *axes_, figure_, theme_)})
        entries.insert(entries.end(), more.begin(), more.end());
    std::erase_if(entries, [](const LegendEntry& e) { return e.name.isEmpty(); });
    if (entries.size() > 1 || (entries.size() == 1 && figure_.map)) {
        legend_ = new Legend(&plot_, std::move(entries), plot_.font(), colours.text, colours.muted);
        plot_.plotLayout()->addElement(legend_row, 0, legend_);
    }
}

void Drawing::style_axis(QCPAxis& axis) const {
    const PaperColours colours = paper_colours(theme_);
    axis.setBasePen(QPen(colours.frame, 1));
    axis.setTickPen(QPen(colours.frame, 1));
    axis.setSubTickPen(QPen(colours.frame, 1));
    axis.setTickLabelColor(colours.text);
    axis.setLabelColor(colours.text);
    axis.setTickLabelFont(scaled(plot_.font(), 0.94));
    axis.setLabelFont(plot_.font());
    axis.setTickLengthIn(0);
    axis.setTickLengthOut(5);
    axis.setSubTickLengthIn(0);
    axis.setSubTickLengthOut(2);
    axis.setTickLabelPadding(4);
    axis.setLabelPadding(6);
    axis.setNumberFormat("gb");
    axis.setNumberPrecision(5);
    axis.grid()->setPen(QPen(colours.grid, 1));
    axis.grid()->setSubGridVisible(false);
    axis.grid()->setZeroLinePen(QPen(colours.grid, 1));
    axis.setSelectableParts(QCPAxis::spNone);
}

void Drawing::set_up_axis(QCPAxis& axis, const Axis& meaning, bool log, const Extent& range) {
    style_axis(axis);
    const bool horizontal = axis.orientation() == Qt::Horizontal;
    axis.setLabel(QString::fromStdString(meaning.title));
    if (!horizontal) titles_.emplace_back(&axis, axis.label());
    axis.setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!meaning.labels.empty()) {
        QStringList labels;
        for (const std::string& label : meaning.labels) labels.append(QString::fromStdString(label));
        axis.setTicker(QSharedPointer<LabelTicker>::create(labels, axis.tickLabelFont(), horizontal));
        axis.grid()->setVisible(meaning.labels.size() > 60 && !figure_.map);
    } else if (log) {
        axis.setTicker(QSharedPointer<DecadeTicker>::create());
    } else if (meaning.integers) {
        axis.setTicker(QSharedPointer<IntegerTicker>::create());
    }
    axis.setRange(range.low, range.high);
}

void Drawing::add_colour_bar(QCPColorScale* scale, const HeatMap& map, bool log) {
    colour_bar_ = scale;
    QCPAxis& axis = *scale->axis();
    const QCPRange range = scale->dataRange();
    style_axis(axis);
    axis.setLabel(QString::fromStdString(map.value_title));
    titles_.emplace_back(&axis, axis.label());
    if (log) axis.setTicker(QSharedPointer<DecadeTicker>::create());
    scale->setDataRange(range);
    auto* margins = new QCPMarginGroup(&plot_);
    scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    axes_->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
}

void Drawing::fit(const QSize& size) {
    const int width = size.width() - 28;
    int texts_height = 0;
    for (WrappedText* text : texts_) {
        text->fit(width);
        texts_height += text->minimumOuterSizeHint().height() + 6;
    }
    if (legend_) {
        legend_->fit(width);
        texts_height += legend_->minimumOuterSizeHint().height() + 6;
    }
    if (!axes_) return;
    const int across = std::max(width - (colour_bar_ ? 170 : 75), 60);
    const int down = std::max(size.height() - texts_height - 75, 40);
    const auto fit_axis = [](QCPAxis& axis, int length, int per_tick) {
        axis.ticker()->setTickCount(std::clamp(length / per_tick, 2, 12));
        if (auto names = axis.ticker().dynamicCast<LabelTicker>()) names->set_length(length);
    };
    fit_axis(*x(), across, pixels_per_x_tick);
    fit_axis(*y(), down, pixels_per_y_tick);
    if (colour_bar_) fit_axis(*colour_bar_->axis(), down, pixels_per_y_tick);
    for (const auto& [axis, title] : titles_) axis->setLabel(QFontMetrics(axis->labelFont()).elidedText(title, Qt::ElideRight, down + 20));
    // Places are right from now on, not only after the next replot: a click may come before it.
    plot_.plotLayout()->setOuterRect(QRect(QPoint(), size));
    for (auto phase : {QCPLayoutElement::upPreparation, QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot_.plotLayout()->update(phase);
}

}  // namespace suture
