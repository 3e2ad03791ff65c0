// SPDX-License-Identifier: GPL-3.0-or-later
// What the crosshair says: the data under the cursor in words.
#pragma once

#include <QPointF>
#include <QStringList>
#include <functional>
#include <optional>

#include "ui/plots/figure_view.h"

namespace suture {

struct ReadOut {
    double x = 0, y = 0;  ///< where the crosshair snaps to, in axis units
    QStringList lines;    ///< the place first, then a line per value
    QString text() const { return lines.join(QStringLiteral(" · ")); }
};

/// `pixel_of` turns axis units into pixels. Curves: the point nearest to the cursor along x, and what the other shown series
/// say at that x. Maps: the cell under the cursor. Nothing when no data is shown or the cursor is outside the map.
std::optional<ReadOut> read_out(const Figure& figure, const FigureView& view, const QPointF& cursor,
                                const std::function<QPointF(double, double)>& pixel_of, const QPointF& cursor_in_units);

}  // namespace suture
