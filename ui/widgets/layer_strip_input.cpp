// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys of the layer strip.
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>

#include "core/base/error.h"
#include "ui/widgets/layer_strip.h"

namespace suture {

/// Sets the layers between `from` and `to` on top of `base`. When that would remove every layer, `to` is kept.
void LayerStrip::give_range(const LayerSet& base, int from, int to, bool removed) {
    LayerSet choice = base;
    for (int layer = std::min(from, to); layer <= std::max(from, to); ++layer)
        choice = removed ? choice.with(layer) : choice.without(layer);
    problem_.clear();
    if (choice.size() == layer_count()) {
        choice = choice.without(to);
        problem_ = tr("At least one layer must be kept.");
    }
    removed_ = choice;
    viewport()->update();
}

/// Makes room for the new seams and tells others, once, that the choice is no longer `before`.
void LayerStrip::commit(const LayerSet& before) {
    lay_out();
    tell_hovered();
    if (!(removed_ == before)) Q_EMIT removed_changed(removed_);
}

void LayerStrip::tell_hovered() {
    if (hovered_ >= 0) Q_EMIT hovered(words(hovered_));
}

void LayerStrip::move_focus(int layer) {
    if (rows_.empty()) return;
    focused_ = std::clamp(layer, 0, layer_count() - 1);
    const int top = layout_.top_of_layer(focused_), page = verticalScrollBar()->pageStep();
    verticalScrollBar()->setValue(std::clamp(verticalScrollBar()->value(), top + layout_.row_height() - page, top));
    describe();
    viewport()->update();
}

void LayerStrip::mousePressEvent(QMouseEvent* event) {
    const auto layer = layer_at(event->pos());
    if (event->button() != Qt::LeftButton || !layer) return;
    typed_.clear();
    before_drag_ = removed_;
    if (!(event->modifiers() & Qt::ShiftModifier)) {
        anchor_ = *layer;
        anchor_state_ = !removed_.contains(*layer);
    }
    give_range(removed_, anchor_, *layer, anchor_state_);
    focused_ = *layer;
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event) {
    const auto layer = layer_at(event->pos());
    if (before_drag_) {
        // Rows keep their places until the button is up; otherwise seams would push them away from under the cursor.
        const int under = layout_.nearest_layer(event->pos().y() - header_height() + verticalScrollBar()->value());
        if (under == focused_) return;
        give_range(*before_drag_, anchor_, under, anchor_state_);
        move_focus(under);
        return;
    }
    if (layer.value_or(-1) == hovered_) return;
    hovered_ = layer.value_or(-1);
    viewport()->update();
    Q_EMIT hovered(layer ? words(*layer) : QString());
}

void LayerStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !before_drag_) return;
    const LayerSet before = *before_drag_;
    before_drag_.reset();
    lay_out();  // a seam may have pushed another layer under the cursor
    hovered_ = layer_at(event->pos()).value_or(-1);
    commit(before);
}

bool LayerStrip::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave && hovered_ >= 0) {
        hovered_ = -1;
        viewport()->update();
        Q_EMIT hovered({});
    }
    return QAbstractScrollArea::viewportEvent(event);
}

bool LayerStrip::press_navigation_key(int key) {
    const int page = std::max(1, verticalScrollBar()->pageStep() / layout_.row_height() - 1);
    switch (key) {
        case Qt::Key_Up:
            move_focus(focused_ - 1);
            return true;
        case Qt::Key_Down:
            move_focus(focused_ + 1);
            return true;
        case Qt::Key_PageUp:
            move_focus(focused_ - page);
            return true;
        case Qt::Key_PageDown:
            move_focus(focused_ + page);
            return true;
        case Qt::Key_Home:
            move_focus(0);
            return true;
        case Qt::Key_End:
            move_focus(layer_count() - 1);
            return true;
        default:
            return false;
    }
}

void LayerStrip::keyPressEvent(QKeyEvent* event) {
    if (rows_.empty()) return QAbstractScrollArea::keyPressEvent(event);
    if (press_navigation_key(event->key())) return;
    const LayerSet before = removed_;
    const QString text = event->text();
    const bool listed = text.size() == 1 && (text[0].isDigit() || text[0] == ',' || text[0] == '-');
    if (listed) type(typed_ + text);
    else if (event->key() == Qt::Key_Space && !typed_.isEmpty()) type(typed_ + ' ');
    else if (event->key() == Qt::Key_Backspace && !typed_.isEmpty()) type(typed_.chopped(1));
    else if (event->key() == Qt::Key_Escape && !(typed_.isEmpty() && problem_.isEmpty())) type({});
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && !typed_.isEmpty()) select_typed();
    else if (event->key() == Qt::Key_P && event->modifiers() == Qt::NoModifier) toggle_protection(focused_);
    else if (event->key() == Qt::Key_Space) {
        anchor_ = focused_;
        anchor_state_ = !removed_.contains(focused_);
        give_range(removed_, focused_, focused_, anchor_state_);
        commit(before);
    } else QAbstractScrollArea::keyPressEvent(event);
}

void LayerStrip::toggle_protection(int layer) {
    set_protected(protected_.contains(layer) ? protected_.without(layer) : protected_.with(layer));
    tell_hovered();
    Q_EMIT protected_changed(protected_);
}

void LayerStrip::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const auto layer = by_key ? std::optional(focused_) : layer_at(event->pos());
    if (rows_.empty() || !layer) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* protect = menu->addAction(tr("&Protect layer %1 from criteria and searches").arg(*layer));
    protect->setCheckable(true);
    protect->setChecked(protected_.contains(*layer));
    connect(protect, &QAction::triggered, this, [this, layer = *layer] { toggle_protection(layer); });
    menu->popup(by_key ? viewport()->mapToGlobal(layer_rect(*layer).center()) : event->globalPos());
}

void LayerStrip::type(const QString& text) {
    typed_ = text;
    problem_.clear();
    viewport()->update();
}

void LayerStrip::select_typed() {
    const LayerSet before = removed_;
    try {
        removed_ = LayerSet::parse(typed_.toStdString(), layer_count());
    } catch (const Error& error) {
        problem_ = QString::fromUtf8(error.what());
        viewport()->update();
        return;
    }
    type({});
    commit(before);
    move_focus(removed_.layers().front());
    anchor_ = focused_;
    anchor_state_ = true;
}

void LayerStrip::focusInEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void LayerStrip::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    type({});
}

}  // namespace suture
