// SPDX-License-Identifier: GPL-3.0-or-later
// Word and byte perplexity side by side.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/evaluation/rolling.h"
#include "core/figures/variant_label.h"

namespace suture {

/// A row per variant: word and byte perplexity, bits per byte, interval, documents; of several variants the ratio to the first and
/// its interval, too. `names` and `results` go together.
Table rolling_table(const std::string& title, const std::vector<std::string>& names, std::span<const RollingEvaluation> results);

/// The same with the ratio to the first variant, its interval, and state; the notes tell text and settings.
Table rolling_comparison(const std::vector<VariantLabel>& variants, std::span<const RollingEvaluation> results);

}  // namespace suture
