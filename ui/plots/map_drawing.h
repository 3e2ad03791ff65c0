// SPDX-License-Identifier: GPL-3.0-or-later
// Heat maps. Internal to the plots: includes QCustomPlot.
#pragma once

#include <qcustomplot.h>

#include "ui/plots/figure_view.h"
#include "ui/theme/theme.h"

namespace suture {

/// Draws the map into the axis rect and returns its colour bar, which has no place in a layout yet.
QCPColorScale* draw_map(QCustomPlot& plot, QCPAxisRect& axes, const HeatMap& map, bool log, Theme theme);

}  // namespace suture
