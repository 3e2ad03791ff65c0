// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Evaluate, view Speed: how much faster and smaller is it?
#pragma once

#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/figures/variant_label.h"
#include "core/generation/speed.h"

namespace suture {

/// Median time to read the whole prompt, ms, with the quartiles as interval. `found` null: says what to do.
Figure prefill_bars(const std::vector<VariantLabel>& variants, const SpeedComparison* found);
/// Median time per token behind the prompt, ms, with the quartiles.
Figure decode_bars(const std::vector<VariantLabel>& variants, const SpeedComparison* found);

/// A row per variant: medians and quartiles, speed-up over the first, parameters, size and KV cache. The notes tell how it
/// was measured.
Table speed_table(const std::vector<VariantLabel>& variants, const SpeedComparison& found);

}  // namespace suture
