// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layer_strip.h"

#include <QEvent>
#include <QLocale>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "ui/theme/colours.h"
#include "ui/widgets/layer_strip_painter.h"

namespace suture {
namespace {

constexpr int tallest_row = 26;

int lowest_row(const QWidget& widget) { return widget.fontMetrics().height() + 3; }

}  // namespace

LayerStrip::LayerStrip(QWidget* parent) : QAbstractScrollArea(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Layers"));
    describe();
}

void LayerStrip::set_layers(std::vector<LayerStripRow> rows, QString quantity_title) {
    const bool other_model = rows.size() != rows_.size();
    rows_ = std::move(rows);
    quantity_ = std::move(quantity_title);
    std::vector<int> removed;
    for (int layer = 0; layer < layer_count(); ++layer)
        if (rows_[std::size_t(layer)].removed) removed.push_back(layer);
    removed_ = LayerSet(std::move(removed));
    before_drag_.reset();
    if (other_model) {
        typed_.clear();
        problem_.clear();
        focused_ = anchor_ = 0;
        hovered_ = -1;
        verticalScrollBar()->setValue(0);
    }
    lay_out();
}

void LayerStrip::set_removed(const LayerSet& removed) {
    removed_ = removed;
    before_drag_.reset();
    problem_.clear();
    lay_out();
}

void LayerStrip::set_protected(const LayerSet& layers) {
    if (layers == protected_) return;
    protected_ = layers;
    describe();
    viewport()->update();
}

void LayerStrip::set_seams(std::vector<LayerStripSeam> seams) {
    seams_ = std::move(seams);
    viewport()->update();
}

void LayerStrip::lay_out() {
    const int room = viewport()->height() - header_height();
    const int count = std::max(layer_count() + int(seams_of(removed_).size()), 1);
    layout_ = LayerStripRows(layer_count(), removed_, std::clamp(room / count, lowest_row(*this), tallest_row));
    verticalScrollBar()->setRange(0, std::max(0, layout_.height() - room));
    verticalScrollBar()->setPageStep(std::max(room, 1));
    verticalScrollBar()->setSingleStep(layout_.row_height());
    describe();
    viewport()->update();
}

QRect LayerStrip::layer_rect(int layer) const {
    return {0, header_height() - verticalScrollBar()->value() + layout_.top_of_layer(layer), viewport()->width(), layout_.row_height()};
}

std::optional<int> LayerStrip::layer_at(const QPoint& position) const {
    const int top = header_height();
    return position.y() < top ? std::nullopt : layout_.layer_at(position.y() - top + verticalScrollBar()->value());
}

void LayerStrip::paintEvent(QPaintEvent*) {
    const Theme theme = current_theme();
    double greatest = 0;
    for (const LayerStripRow& row : rows_)
        if (row.value > greatest) greatest = row.value;  // false for NaN
    QPainter canvas(viewport());
    canvas.fillRect(viewport()->rect(), paper_colours(theme).paper);
    LayerStripPainter painter(canvas, font(), theme, layer_count(), greatest);
    const int top = header_height();
    for (const auto& row : layout_.rows()) {
        const QRect place(0, top - verticalScrollBar()->value() + row.top, viewport()->width(), layout_.row_height());
        if (place.bottom() < top || place.top() > viewport()->height()) continue;
        if (row.is_seam) painter.seam(place, seam_words(row.layer));
        else
            painter.layer(place, {row.layer, rows_[std::size_t(row.layer)].value, removed_.contains(row.layer),
                                  protected_.contains(row.layer), hasFocus() && row.layer == focused_, row.layer == hovered_});
    }
    painter.header(QRect(0, 0, viewport()->width(), top), quantity_);
    if (!typed_.isEmpty() || !problem_.isEmpty()) painter.typing(viewport()->rect(), typed_, problem_);
}

QString LayerStrip::words(int layer) const {
    const double value = rows_[std::size_t(layer)].value;
    QString text = tr("layer %1").arg(layer);
    if (!std::isnan(value)) text += QStringLiteral(" · %1 %2").arg(quantity_, QLocale::c().toString(value, 'g', 4));
    return text + QStringLiteral(" · ") + (removed_.contains(layer) ? tr("removed") : tr("kept")) +
           (protected_.contains(layer) ? tr(", protected") : QString());
}

QString LayerStrip::seam_words(int end) const {
    QString text = tr("seam");
    const auto it = std::find_if(seams_.begin(), seams_.end(), [&](const LayerStripSeam& s) { return s.before_layer == end; });
    if (it == seams_.end()) return text;
    if (!it->repair.isEmpty()) text += QStringLiteral(" · ") + it->repair;
    if (!std::isnan(it->relative_error)) text += tr(" · rel. error %1").arg(QLocale::c().toString(it->relative_error, 'g', 3));
    return text;
}

void LayerStrip::describe() {
    if (rows_.empty()) return setAccessibleDescription(tr("No model is open."));
    setAccessibleDescription(
        tr("%1 layers, removed: %2. Focus on %3.").arg(layer_count()).arg(QString::fromStdString(removed_.words()), words(focused_)));
}

void LayerStrip::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    lay_out();
}

void LayerStrip::scrollContentsBy(int, int) { viewport()->update(); }

void LayerStrip::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange) lay_out();
    if (event->type() == QEvent::PaletteChange) viewport()->update();
}

}  // namespace suture
