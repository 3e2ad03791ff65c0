// SPDX-License-Identifier: GPL-3.0-or-later
// One number per channel on each side of a seam. Touches the seam's rows only.
#pragma once

#include <string>
#include <vector>

#include "core/figures/seam_view.h"

namespace suture {

/// [C] each.
struct ChannelSides {
    std::vector<double> expected, unpatched;
    std::vector<double> patched;  ///< empty: not known
    std::string source;           ///< which tokens the numbers are over, for the caption
};

/// Mean |x|. The view has statistics and a seam.
ChannelSides channel_means(const SeamView& view, Basis basis);

/// Root mean square of x − x_e; `expected` is empty.
ChannelSides channel_rms_errors(const SeamView& view, Basis basis);

}  // namespace suture
