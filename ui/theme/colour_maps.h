// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for numbers: viridis for magnitudes, two hues around a neutral centre for signed values.
#pragma once

#include <QColor>
#include <vector>

#include "ui/theme/theme.h"

namespace suture {

/// Equally spaced colours, to be interpolated linearly.
using ColourMap = std::vector<QColor>;

/// viridis: brightness grows evenly from 0 to 1, also for colour-blind readers and in print.
const ColourMap& sequential_map();

/// Blue below, vermilion above; the centre takes the paper's tone so that only what deviates stands out.
const ColourMap& diverging_map(Theme theme);

/// The colour at t, which is cut to 0 … 1.
QColor colour_at(const ColourMap& map, double t);

}  // namespace suture
