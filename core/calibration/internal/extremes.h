// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibration/internal/observer.h"

namespace suture {

/// The tokens of one window whose norm is above `factor` times the point's median, each once, at its strongest point.
std::vector<ExtremeToken> extreme_tokens_of(const WindowStates& window, double factor);

/// The channels of every point whose mean |x| is above `factor` times the median channel's. Needs channel_abs.
std::vector<ExtremeChannel> extreme_channels_of(const Statistics& statistics, double factor);

}  // namespace suture
