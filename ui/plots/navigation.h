// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse and keys over a plot: wheel zooms at the cursor, left drag zooms a rectangle, middle or Ctrl drag pans, a double click
// resets; arrows pan, + and - zoom, Home and Escape reset. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include "ui/plots/drawing.h"

namespace suture {

class Navigation : public QObject {
    Q_OBJECT
public:
    explicit Navigation(QCustomPlot& canvas);
    /// Acts on this drawing from now on; nullptr: on none.
    void attach(const Drawing* drawing);

    void zoom(double factor, const QPointF& at, bool along_x = true, bool along_y = true);
    /// Shares of what is visible; positive: towards larger values.
    void pan(double along_x, double along_y);
    void reset();
    /// True when the key meant something.
    bool press_key(int key);
    bool zoomed() const;

Q_SIGNALS:
    void view_changed();
    void hovered(QPointF pixel);
    void left();
    /// Of a double click the first.
    void clicked(QPointF pixel);
    void double_clicked();
    void rectangle_changed(QRectF pixels);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Drag { None, Rectangle, Pan };
    bool ready() const { return drawing_ && drawing_->axes(); }
    void press(const QMouseEvent& event);
    void move(const QMouseEvent& event);
    void release(const QMouseEvent& event);
    void wheel(const QWheelEvent& event);
    void zoom_to(const QRectF& pixels);
    void pan_by(const QPointF& pixels);
    QRectF dragged_rectangle(const QPointF& to) const;

    QCustomPlot& canvas_;
    const Drawing* drawing_ = nullptr;
    Drag drag_ = Drag::None;
    bool moved_ = false;
    QPointF pressed_, last_;
};

}  // namespace suture
