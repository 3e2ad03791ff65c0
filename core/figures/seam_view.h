// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures of one seam are made from.
#pragma once

#include <optional>

#include "core/base/array.h"
#include "core/base/layers.h"
#include "core/calibration/statistics.h"
#include "core/repair/repair.h"

namespace suture {

/// Of which basis a figure speaks; the values index Statistics' arrays.
enum class Basis { Raw = 0, Hadamard = 1 };

/// Points at what it is given and owns nothing. What is null or absent is not drawn; a figure without any data says in
/// `Figure::empty` what to do.
struct SeamView {
    const Statistics* statistics = nullptr;  ///< null: not calibrated
    std::optional<Seam> seam;                ///< nothing: no layers chosen
    const Patch* patch = nullptr;            ///< null: no repair fitted; its seam must be `seam`
    /// [S, C] x_s·P of Statistics::sample_tokens, see patched_sample(). Null: only what is exact from sums is drawn as patched.
    const Array<float>* patched_sample = nullptr;
};

/// The sampled tokens at the seam behind the patch, x_s·P: [S, C]. Costs S·C·C operations for a dense P, so make it once for
/// each patch and off the window's thread. Empty when the statistics hold no sample, or the repair changes kept layers instead.
Array<float> patched_sample(const Statistics& statistics, const Patch& patch);

/// True when sums alone give what the patch does to every channel of that basis: it scales channels there and adds nothing.
bool scales_channels(const Patch& patch, Basis basis);

/// Says, of a repair that changes kept layers' tensors, why nothing is drawn as patched; empty for maps and without a patch.
std::string edit_note(const Patch* patch);

}  // namespace suture
