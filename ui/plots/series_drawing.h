// SPDX-License-Identifier: GPL-3.0-or-later
// Series, spans and guides as QCustomPlot's objects. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "ui/plots/figure_view.h"
#include "ui/plots/legend.h"
#include "ui/theme/theme.h"

namespace suture {

/// Draws every series of the figure and returns its legend entries, in the order of the series.
std::vector<LegendEntry> draw_series(QCustomPlot& plot, QCPAxisRect& axes, const Figure& figure, const FigureView& view, Theme theme);

/// Shades the spans behind the data (outlines them above a map) and returns their legend entries.
std::vector<LegendEntry> draw_spans(QCustomPlot& plot, QCPAxisRect& axes, const Figure& figure, Theme theme);

/// Draws the guides as dashed lines and returns their legend entries.
std::vector<LegendEntry> draw_guides(QCustomPlot& plot, QCPAxisRect& axes, const Figure& figure, Theme theme);

}  // namespace suture
