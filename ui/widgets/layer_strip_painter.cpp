// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layer_strip_painter.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/theme/colour_maps.h"
#include "ui/theme/colours.h"

namespace suture {
namespace {

constexpr int margin = 8;
constexpr int mark_width = 15, roomy = 190;

/// The part of the map that stands out from the paper.
QColor bar_colour(double share, Theme theme) {
    return colour_at(sequential_map(), theme == Theme::Dark ? 0.3 + 0.7 * share : 0.05 + 0.75 * share);
}

}  // namespace

LayerStripPainter::LayerStripPainter(QPainter& painter, const QFont& font, Theme theme, int layer_count, double greatest)
    : painter_(painter), font_(font), small_(font), theme_(theme), greatest_(greatest) {
    small_.setPointSizeF(font.pointSizeF() * 0.85);
    index_width_ = QFontMetrics(font_).horizontalAdvance(QString::number(std::max(layer_count - 1, 10)));
    value_width_ = QFontMetrics(small_).horizontalAdvance("0.00000");
    painter_.setRenderHint(QPainter::Antialiasing);
}

void LayerStripPainter::header(const QRect& place, const QString& title) {
    const PaperColours colours = paper_colours(theme_);
    painter_.fillRect(place, colours.paper);
    painter_.setPen(colours.grid);
    painter_.drawLine(place.bottomLeft(), place.bottomRight());
    painter_.setFont(small_);
    painter_.setPen(colours.muted);
    const QRect words = place.adjusted(margin, 0, -margin, 0);
    painter_.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, QObject::tr("layer"));
    const int used = QFontMetrics(small_).horizontalAdvance(QObject::tr("layer")) + margin;
    const QString shown = QFontMetrics(small_).elidedText(title, Qt::ElideRight, words.width() - used);
    painter_.drawText(words, Qt::AlignVCenter | Qt::AlignRight, shown);
}

void LayerStripPainter::layer(const QRect& place, const LayerLook& look) {
    const PaperColours colours = paper_colours(theme_);
    const QColor removed = role_colour(Role::Removed, theme_);
    if (look.removed) painter_.fillRect(place, blended(colours.paper, removed, 0.12));
    if (look.hovered) painter_.fillRect(place, blended(colours.paper, colours.text, 0.07));
    const QRect index(place.left() + margin, place.top(), index_width_, place.height());
    const QRect value(place.right() - margin - value_width_, place.top(), value_width_, place.height());
    const int mark = place.width() >= roomy ? mark_width : 0;  // a column of its own for the cross, where there is room
    const QRect bar(index.right() + 10 + mark, place.top() + 3, value.left() - index.right() - 18 - mark, place.height() - 6);
    QFont font = font_;
    font.setStrikeOut(look.removed);
    painter_.setFont(font);
    painter_.setPen(look.removed ? removed : colours.text);
    painter_.drawText(index, Qt::AlignVCenter | Qt::AlignRight, QString::number(look.layer));
    int drawn = bar.left();
    if (!std::isnan(look.value)) {
        const double share = greatest_ > 0 ? std::clamp(look.value / greatest_, 0.0, 1.0) : 0;
        const QColor colour = bar_colour(share, theme_);
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(look.removed ? blended(colours.paper, removed, 0.35) : colour);
        const QRectF filled(bar.left(), bar.top(), std::max(2.0, bar.width() * share), bar.height());
        painter_.drawRoundedRect(filled, 2, 2);
        drawn = int(filled.right());
        painter_.setFont(small_);
        painter_.setPen(colours.muted);
        painter_.drawText(value, Qt::AlignVCenter | Qt::AlignRight, QLocale::c().toString(look.value, 'g', 3));
    }
    if (look.removed)
        removed_mark(QRect(bar.left() - mark, place.top(), bar.width() + mark, place.height()), mark > 0 ? drawn : bar.left());
    if (look.guarded) lock(place);
    if (look.focused) {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(role_colour(Role::Dense, theme_), 1.5));
        painter_.drawRoundedRect(QRectF(place).adjusted(2, 1, -2, -1), 3, 3);
    }
}

/// Left of the index.
void LayerStripPainter::lock(const QRect& place) const {
    const QColor colour = paper_colours(theme_).text;
    const QRectF body(place.left() + 1.5, QRectF(place).center().y() - 0.5, 6, 5);
    painter_.setBrush(Qt::NoBrush);
    painter_.setPen(QPen(colour, 1.2));
    painter_.drawArc(QRectF(body.left() + 1, body.top() - 4, 4, 7), 0, 180 * 16);
    painter_.fillRect(body, colour);
}

void LayerStripPainter::removed_mark(const QRect& place, int bar_end) const {
    const QColor colour = role_colour(Role::Removed, theme_);
    const double middle = QRectF(place).center().y(), arm = std::min(4.0, place.height() * 0.22);
    const QPointF centre(place.left() + arm + 1, middle);
    painter_.setPen(QPen(colour, 1));
    const double from = std::max(centre.x() + arm, double(bar_end)) + 5;
    if (from < place.right()) painter_.drawLine(QPointF(from, middle), QPointF(place.right(), middle));
    painter_.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap));
    painter_.drawLine(centre - QPointF(arm, arm), centre + QPointF(arm, arm));
    painter_.drawLine(centre - QPointF(arm, -arm), centre + QPointF(arm, -arm));
}

void LayerStripPainter::seam(const QRect& place, const QString& words) {
    const PaperColours colours = paper_colours(theme_);
    const QColor patched = role_colour(Role::Patched, theme_);
    painter_.fillRect(place, blended(colours.paper, patched, 0.12));
    painter_.setFont(small_);
    const QRect text = place.adjusted(margin + 22, 0, -margin, 0);
    const double middle = QRectF(place).center().y();
    painter_.setPen(QPen(patched, 1.4));
    for (double offset : {-1.8, 1.8})
        painter_.drawLine(QPointF(place.left() + margin, middle + offset), QPointF(text.left() - 6, middle + offset));
    painter_.setPen(blended(patched, colours.text, 0.4));
    painter_.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, QFontMetrics(small_).elidedText(words, Qt::ElideRight, text.width()));
}

void LayerStripPainter::typing(const QRect& viewport, const QString& typed, const QString& problem) {
    const PaperColours colours = paper_colours(theme_);
    const QRect room(viewport.left() + margin, 0, viewport.width() - 2 * margin, viewport.height());
    const int line = QFontMetrics(font_).height() + 8;
    const int lines = problem.isEmpty() ? 0 : QFontMetrics(small_).boundingRect(room, Qt::TextWordWrap, problem).height() + 6;
    QRect band(viewport.left(), viewport.bottom() + 1 - line - lines, viewport.width(), line + lines);
    painter_.fillRect(band, colours.bubble);
    painter_.setPen(colours.frame);
    painter_.drawLine(band.topLeft(), band.topRight());
    band.adjust(margin, 0, -margin, 0);
    painter_.setFont(font_);
    painter_.setPen(colours.text);
    painter_.drawText(QRect(band.left(), band.top(), band.width(), line), Qt::AlignVCenter | Qt::AlignLeft,
                      QObject::tr("remove %1").arg(typed) + QStringLiteral("▏"));
    painter_.setFont(small_);
    painter_.setPen(colours.muted);
    painter_.drawText(QRect(band.left(), band.top(), band.width(), line), Qt::AlignVCenter | Qt::AlignRight, QStringLiteral("⏎"));
    painter_.setPen(role_colour(Role::Unpatched, theme_));
    painter_.drawText(band.adjusted(0, line, 0, 0), Qt::TextWordWrap, problem);
}

}  // namespace suture
