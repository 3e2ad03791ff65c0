// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/crosshair.h"

#include "ui/theme/colours.h"

namespace suture {
namespace {

QCPLayer* cursor_layer(QCustomPlot& plot) {
    if (!plot.layer("cursor")) {
        plot.addLayer("cursor");
        plot.layer("cursor")->setMode(QCPLayer::lmBuffered);
    }
    return plot.layer("cursor");
}

}  // namespace

Crosshair::Crosshair(QCustomPlot& plot, QCPAxisRect& axes, Theme theme) : axes_(axes), layer_(cursor_layer(plot)) {
    const PaperColours colours = paper_colours(theme);
    const auto placed = [this](auto* item) {
        item->setLayer(layer_);
        item->setVisible(false);
        return item;
    };
    vertical_ = placed(new QCPItemStraightLine(&plot));
    horizontal_ = placed(new QCPItemStraightLine(&plot));
    for (auto* line : {vertical_, horizontal_}) line->setPen(QPen(colours.muted, 1, Qt::DotLine));

    bubble_ = placed(new QCPItemText(&plot));
    bubble_->setClipToAxisRect(false);
    bubble_->position->setType(QCPItemPosition::ptAbsolute);
    bubble_->setPadding(QMargins(8, 5, 8, 5));
    bubble_->setTextAlignment(Qt::AlignLeft);
    bubble_->setFont(plot.font());
    bubble_->setColor(colours.text);
    QColor ground = colours.bubble;
    ground.setAlpha(238);
    bubble_->setBrush(ground);
    bubble_->setPen(QPen(blended(colours.bubble, colours.frame, 0.6), 1));

    rectangle_ = placed(new QCPItemRect(&plot));
    for (auto* corner : {rectangle_->topLeft, rectangle_->bottomRight}) corner->setType(QCPItemPosition::ptAbsolute);
    QColor fill = role_colour(Role::Dense, theme);
    rectangle_->setPen(QPen(fill, 1));
    fill.setAlpha(40);
    rectangle_->setBrush(fill);
}

void Crosshair::show(const ReadOut& read_out, const QPointF& cursor) {
    vertical_->point1->setCoords(read_out.x, 1);
    vertical_->point2->setCoords(read_out.x, 2);
    horizontal_->point1->setCoords(1, read_out.y);
    horizontal_->point2->setCoords(2, read_out.y);
    const QPoint middle = axes_.rect().center();
    const bool left = cursor.x() > middle.x(), above = cursor.y() > middle.y();
    bubble_->setText(read_out.lines.join('\n'));
    bubble_->setPositionAlignment((left ? Qt::AlignRight : Qt::AlignLeft) | (above ? Qt::AlignBottom : Qt::AlignTop));
    bubble_->position->setCoords(cursor + QPointF(left ? -14 : 14, above ? -10 : 10));
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{vertical_, horizontal_, bubble_}) item->setVisible(true);
    layer_->replot();
}

void Crosshair::hide() {
    if (!bubble_->visible()) return;
    for (QCPAbstractItem* item : std::initializer_list<QCPAbstractItem*>{vertical_, horizontal_, bubble_}) item->setVisible(false);
    layer_->replot();
}

void Crosshair::show_rectangle(const QRectF& pixels) {
    rectangle_->setVisible(!pixels.isEmpty());
    rectangle_->topLeft->setCoords(pixels.topLeft());
    rectangle_->bottomRight->setCoords(pixels.bottomRight());
    layer_->replot();
}

}  // namespace suture
