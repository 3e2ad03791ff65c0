// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Patch: what does the repair do? The error per channel is channel_errors() of channels.h.
#pragma once

#include <string>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/channels.h"
#include "core/repair/repair.h"

namespace suture {

/// P as a heat map: y is the row (channel in), x the column (channel out), colours around 0. `matrix`: dense_matrix() of the
/// patch's map, [C, C]; more than 1024 channels are pooled, each cell the entry of largest magnitude. `without_diagonal`: the
/// diagonal counts as 0, so that the rest can be seen. `patch` or `matrix` null: empty, with a sentence.
Figure patch_matrix(const Patch* patch, const Array<float>* matrix, bool without_diagonal);

/// d in falling order with a guide at 1; for a patch that is not made of a scale, P's diagonal instead.
Figure patch_scale(const Patch* patch);

/// Kind, definition of d, seam, H, trace, Frobenius norm, range of d, relative errors: one row each. No rows without a patch.
Table patch_facts(const Patch* patch, const RepairInfo& info, const RepairSettings& settings);

}  // namespace suture
