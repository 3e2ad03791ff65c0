// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Repair, view "Which is best?": every repair on calibration windows that no fit saw.
#pragma once

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/repair/recommend.h"

namespace suture {

/// "Least squares, massive tokens left out": a trial in words.
std::string trial_words(const RepairTrial& trial);

/// Perplexity of every repair over that without repair, with 95 % intervals around a line at 1; the recommended one stands out, and
/// `stale` ones are grey. Refused repairs are left out. Null: empty, with a sentence.
Figure repair_ratios(const Recommendation* found, bool stale);

/// A row per trial, in their order: repair, massive tokens, perplexity, times no repair with its interval, and a remark: why it was
/// refused, or that it is recommended. No rows without a recommendation.
Table repair_trials(const Recommendation* found);

}  // namespace suture
