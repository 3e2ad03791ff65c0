// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/navigation.h"

#include <cmath>

namespace suture {
namespace {

constexpr double wheel_step = 0.85;  // visible share after one notch towards the data
constexpr double key_step = 0.1;
constexpr double thin = 12;  // pixels: a rectangle thinner than this zooms the other axis only

bool logarithmic(const QCPAxis& axis) { return axis.scaleType() == QCPAxis::stLogarithmic; }
double straight(const QCPAxis& axis, double v) { return logarithmic(axis) ? std::log10(v) : v; }
double bent(const QCPAxis& axis, double v) { return logarithmic(axis) ? std::pow(10.0, v) : v; }

/// Moves the axis to these ends, at most half a screen beyond what there is to see.
void set_straight_range(QCPAxis& axis, double low, double high, const Extent& home) {
    const double home_low = straight(axis, home.low), home_high = straight(axis, home.high), reach = (home_high - home_low) / 2;
    const double size = std::clamp(high - low, 1e-7 * reach, 4 * reach);
    const double middle = (low + high) / 2;
    low = std::clamp(middle - size / 2, home_low - reach, home_high + reach - size);
    axis.setRange(bent(axis, low), bent(axis, low + size));
}

void zoom_axis(QCPAxis& axis, double factor, double pixel, const Extent& home) {
    const double at = straight(axis, axis.pixelToCoord(pixel));
    const double low = straight(axis, axis.range().lower), high = straight(axis, axis.range().upper);
    set_straight_range(axis, at + (low - at) * factor, at + (high - at) * factor, home);
}

void pan_axis(QCPAxis& axis, double share, const Extent& home) {
    const double low = straight(axis, axis.range().lower), high = straight(axis, axis.range().upper), shift = share * (high - low);
    set_straight_range(axis, low + shift, high + shift, home);
}

void show_between(QCPAxis& axis, double pixel, double other, const Extent& home) {
    const double a = straight(axis, axis.pixelToCoord(pixel)), b = straight(axis, axis.pixelToCoord(other));
    set_straight_range(axis, std::min(a, b), std::max(a, b), home);
}

}  // namespace

Navigation::Navigation(QCustomPlot& canvas) : QObject(&canvas), canvas_(canvas) {
    canvas.installEventFilter(this);
    canvas.setMouseTracking(true);
}

void Navigation::attach(const Drawing* drawing) {
    drawing_ = drawing;
    drag_ = Drag::None;
}

bool Navigation::zoomed() const {
    if (!ready()) return false;
    const auto differs = [](const QCPRange& r, const Extent& home) { return r.lower != home.low || r.upper != home.high; };
    return differs(drawing_->x()->range(), drawing_->home_x()) || differs(drawing_->y()->range(), drawing_->home_y());
}

void Navigation::zoom(double factor, const QPointF& at, bool along_x, bool along_y) {
    if (!ready()) return;
    if (along_x) zoom_axis(*drawing_->x(), factor, at.x(), drawing_->home_x());
    if (along_y) zoom_axis(*drawing_->y(), factor, at.y(), drawing_->home_y());
    Q_EMIT view_changed();
}

void Navigation::pan(double along_x, double along_y) {
    if (!ready()) return;
    if (along_x != 0) pan_axis(*drawing_->x(), along_x, drawing_->home_x());
    if (along_y != 0) pan_axis(*drawing_->y(), along_y, drawing_->home_y());
    Q_EMIT view_changed();
}

void Navigation::reset() {
    if (!ready()) return;
    drawing_->x()->setRange(drawing_->home_x().low, drawing_->home_x().high);
    drawing_->y()->setRange(drawing_->home_y().low, drawing_->home_y().high);
    Q_EMIT view_changed();
}

bool Navigation::press_key(int key) {
    if (!ready()) return false;
    const QPointF middle = QRectF(drawing_->axes()->rect()).center();
    const double up = drawing_->y()->rangeReversed() ? -key_step : key_step;
    switch (key) {
        case Qt::Key_Left:
            pan(-key_step, 0);
            return true;
        case Qt::Key_Right:
            pan(key_step, 0);
            return true;
        case Qt::Key_Up:
            pan(0, up);
            return true;
        case Qt::Key_Down:
            pan(0, -up);
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoom(wheel_step, middle);
            return true;
        case Qt::Key_Minus:
            zoom(1 / wheel_step, middle);
            return true;
        case Qt::Key_Home:
            reset();
            return true;
        case Qt::Key_Escape:
            if (!zoomed()) return false;  // Escape may then close what surrounds the plot
            reset();
            return true;
        default:
            return false;
    }
}

bool Navigation::eventFilter(QObject*, QEvent* event) {
    if (!ready()) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            press(*static_cast<QMouseEvent*>(event));
            return false;
        case QEvent::MouseMove:
            move(*static_cast<QMouseEvent*>(event));
            return false;
        case QEvent::MouseButtonRelease:
            release(*static_cast<QMouseEvent*>(event));
            return false;
        case QEvent::MouseButtonDblClick:
            moved_ = true;  // the release that follows is no click
            Q_EMIT double_clicked();
            if (drawing_->axes()->rect().contains(static_cast<QMouseEvent*>(event)->pos())) reset();
            return true;
        case QEvent::Wheel:
            wheel(*static_cast<QWheelEvent*>(event));
            return true;
        case QEvent::Leave:
            Q_EMIT left();
            return false;
        default:
            return false;
    }
}

void Navigation::press(const QMouseEvent& event) {
    pressed_ = last_ = event.position();
    moved_ = false;
    const bool inside = drawing_->axes()->rect().contains(event.pos());
    const bool pans = event.button() == Qt::MiddleButton || (event.button() == Qt::LeftButton && event.modifiers() & Qt::ControlModifier);
    drag_ = !inside ? Drag::None : pans ? Drag::Pan : event.button() == Qt::LeftButton ? Drag::Rectangle : Drag::None;
}

void Navigation::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (!event.buttons()) {
        if (drawing_->axes()->rect().contains(event.pos())) Q_EMIT hovered(at);
        else Q_EMIT left();
        return;
    }
    moved_ = moved_ || (at - pressed_).manhattanLength() >= QApplication::startDragDistance();
    if (!moved_) return;
    if (drag_ == Drag::Pan) pan_by(at - last_);
    if (drag_ == Drag::Rectangle) Q_EMIT rectangle_changed(dragged_rectangle(at));
    last_ = at;
}

void Navigation::release(const QMouseEvent& event) {
    const Drag drag = std::exchange(drag_, Drag::None);
    if (!moved_) {
        if (event.button() == Qt::LeftButton && !(event.modifiers() & Qt::ControlModifier)) Q_EMIT clicked(event.position());
    } else if (drag == Drag::Rectangle) {
        Q_EMIT rectangle_changed({});
        zoom_to(dragged_rectangle(event.position()));
    }
}

void Navigation::wheel(const QWheelEvent& event) {
    const QRect data = drawing_->axes()->rect();
    const QPointF at = event.position();
    const bool over_x_axis = at.y() > data.bottom(), over_y_axis = at.x() < data.left();
    if (event.angleDelta().y() != 0) zoom(std::pow(wheel_step, event.angleDelta().y() / 120.0), at, !over_y_axis, !over_x_axis);
}

QRectF Navigation::dragged_rectangle(const QPointF& to) const {
    const QRectF data = drawing_->axes()->rect();
    QRectF dragged = QRectF(pressed_, to).normalized();
    if (dragged.height() < thin) dragged = QRectF(dragged.left(), data.top(), dragged.width(), data.height());
    else if (dragged.width() < thin) dragged = QRectF(data.left(), dragged.top(), data.width(), dragged.height());
    return dragged.intersected(data);
}

void Navigation::zoom_to(const QRectF& pixels) {
    if (pixels.width() < 2 || pixels.height() < 2) return;
    const QRectF data = drawing_->axes()->rect();
    if (pixels.width() < data.width()) show_between(*drawing_->x(), pixels.left(), pixels.right(), drawing_->home_x());
    if (pixels.height() < data.height()) show_between(*drawing_->y(), pixels.top(), pixels.bottom(), drawing_->home_y());
    Q_EMIT view_changed();
}

void Navigation::pan_by(const QPointF& pixels) {
    const QRectF data = drawing_->axes()->rect();
    pan(-pixels.x() / data.width(), (drawing_->y()->rangeReversed() ? -1 : 1) * pixels.y() / data.height());
}

}  // namespace suture
