// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Channels: how far apart are the two sides of the seam, channel by channel?
#pragma once

#include <cstdint>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/seam_view.h"

namespace suture {

/// Along the x axis: by number, or by falling magnitude.
enum class ChannelOrder { Number, Magnitude };

struct ChannelOptions {
    Basis basis = Basis::Raw;
    ChannelOrder order = ChannelOrder::Magnitude;
    bool log = true;       ///< of the y axis
    std::int64_t top = 0;  ///< only the channels of largest magnitude; 0: all
};

/// Mean |x| per channel on both sides of the seam: expected x_e (Role::Dense), unpatched x_s (Role::Unpatched) and, with a
/// patch, x_s·P (Role::Patched). Magnitude is that of x_e. Exact over all counted tokens where the patch scales channels of that
/// basis; otherwise, in the raw basis and with a patched sample, all three curves are over the sampled tokens. The caption says which.
Figure channel_magnitudes(const SeamView& view, const ChannelOptions& options);

/// Mean |x_e| over mean |x| of what the next layer gets, without and with the patch; guide at 1. The same channels in the
/// same order as channel_magnitudes().
Figure channel_ratios(const SeamView& view, const ChannelOptions& options);

/// Root mean square of x − x_e per channel: unpatched and patched; magnitude is the unpatched error. Exact or from the sample as above.
Figure channel_errors(const SeamView& view, const ChannelOptions& options);

/// Incoherence μ = max|x|·√(tokens·channels)/‖X‖ of both sides, raw and in the Hadamard basis. No rows without a seam.
Table incoherence_table(const SeamView& view);

}  // namespace suture
