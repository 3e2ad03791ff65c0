// SPDX-License-Identifier: GPL-3.0-or-later
// Crosshair, read-out and zoom rectangle on a layer of their own, so that moving the mouse redraws nothing else.
// Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include "ui/plots/read_out.h"
#include "ui/theme/theme.h"

namespace suture {

/// Its items belong to the plot and vanish with the next Drawing on it.
class Crosshair {
public:
    Crosshair(QCustomPlot& plot, QCPAxisRect& axes, Theme theme);
    /// Snaps to the read-out's point and writes its lines beside it.
    void show(const ReadOut& read_out, const QPointF& cursor);
    void hide();
    /// The rectangle being dragged, in pixels; an empty one hides it.
    void show_rectangle(const QRectF& pixels);

private:
    QCPAxisRect& axes_;
    QCPLayer* layer_;
    QCPItemStraightLine *vertical_, *horizontal_;
    QCPItemText* bubble_;
    QCPItemRect* rectangle_;
};

}  // namespace suture
