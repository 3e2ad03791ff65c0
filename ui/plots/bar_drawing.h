// SPDX-License-Identifier: GPL-3.0-or-later
// Bars side by side with their intervals and values. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include "core/base/figure.h"
#include "ui/plots/legend.h"

namespace suture {

QVector<double> to_qvector(const std::vector<double>& values);

/// Whiskers from low to high at every point of `plottable`, in the series' colour darkened by the text colour.
void draw_error_bars(QCPAbstractPlottable& plottable, const Series& series, const QColor& colour);

/// Knows which bar series share places on the x axis and must stand side by side.
class BarGroups {
public:
    BarGroups(QCustomPlot& plot, const Figure& figure, bool log);
    /// Draws series `index`; one that is not shown keeps its place. Sets the entry's box.
    void draw(QCPAxisRect& axes, std::size_t index, const QColor& colour, const QColor& text, LegendEntry& entry);

private:
    void write_values(QCPAxisRect& axes, const Series& series, double offset, const QColor& text) const;

    QCustomPlot& plot_;
    const Figure& figure_;
    bool log_;
    std::vector<std::size_t> beside_;  // bar series that share places; empty: each stands alone
    std::size_t bars_ = 0;
};

}  // namespace suture
