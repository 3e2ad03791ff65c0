// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/legend.h"

namespace suture {
namespace {
constexpr int swatch = 20, swatch_gap = 6, entry_gap = 16;
}

Legend::Legend(QCustomPlot* plot, std::vector<LegendEntry> entries, const QFont& font, const QColor& text, const QColor& off)
    : QCPLayoutElement(plot), entries_(std::move(entries)), font_(font), text_(text), off_(off) {
    setMinimumMargins({});
    fit(400);
}

void Legend::fit(int width) {
    const QFontMetrics metrics(font_);
    const int line = metrics.height() + 4;
    places_.clear();
    int x = 0, y = 0;
    for (const LegendEntry& entry : entries_) {
        const int needed = std::min(swatch + swatch_gap + metrics.horizontalAdvance(entry.name), std::max(width, swatch));
        if (x > 0 && x + needed > width) {
            x = 0;
            y += line;
        }
        places_.emplace_back(x, y, needed, line);
        x += needed + entry_gap;
    }
    height_ = entries_.empty() ? 0 : y + line;
}

int Legend::series_at(const QPoint& position) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].translated(mRect.topLeft()).contains(position)) return entries_[i].series;
    return -1;
}

void Legend::draw(QCPPainter* painter) {
    for (std::size_t i = 0; i < places_.size(); ++i) draw_entry(painter, entries_[i], places_[i].translated(mRect.topLeft()));
}

void Legend::draw_entry(QCPPainter* painter, const LegendEntry& entry, const QRect& place) const {
    const QRect sample(place.left(), place.top() + 3, swatch, place.height() - 6);
    painter->setAntialiasing(true);
    painter->setOpacity(entry.shown ? 1.0 : 0.3);
    painter->setPen(Qt::NoPen);
    painter->setBrush(entry.box);
    if (entry.box.style() != Qt::NoBrush) painter->drawRoundedRect(sample.adjusted(3, 1, -3, -1), 2, 2);
    painter->setBrush(Qt::NoBrush);
    painter->setPen(entry.line);
    const QPointF middle = QRectF(sample).center();
    if (entry.line.style() != Qt::NoPen) painter->drawLine(QLineF(sample.left(), middle.y(), sample.left() + swatch, middle.y()));
    if (!entry.mark.isNone()) {
        entry.mark.applyTo(painter, entry.line);
        entry.mark.drawShape(painter, middle);
    }
    painter->setOpacity(1);
    QFont font = font_;
    font.setStrikeOut(!entry.shown);
    painter->setFont(font);
    painter->setPen(entry.shown ? text_ : off_);
    const QRect words = place.adjusted(swatch + swatch_gap, 0, 0, 0);
    painter->drawText(words, Qt::AlignVCenter, QFontMetrics(font).elidedText(entry.name, Qt::ElideRight, words.width() + 1));
}

}  // namespace suture
