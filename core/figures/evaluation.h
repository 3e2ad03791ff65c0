// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Evaluate: what did it cost, what did it bring back?
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/evaluation/evaluation.h"

namespace suture {

/// One variant of the model and what it is worth.
struct EvaluationRow {
    std::string kind;                                                ///< "dense", or the repair's terminal name
    std::string label;                                               ///< in the window
    Role role = Role::Patched;                                       ///< Dense, Unpatched (removed, no repair) or Patched
    std::shared_ptr<const Evaluation> evaluation;                    ///< null: not evaluated yet
    bool stale = false;                                              ///< its conditions are no longer those chosen
    double error_median = std::numeric_limits<double>::quiet_NaN();  ///< relative error of the repair; NaN: none
};

/// Perplexity of every evaluated row as a bar with its 95 % interval.
Figure perplexity_bars(const std::vector<EvaluationRow>& rows);

/// Perplexity of every window: dense along x, the others along y, both logarithmic, with the line where both are equal.
/// Rows over another text than the dense one are left out. Empty, with a sentence, without a dense row.
Figure window_perplexities(const std::vector<EvaluationRow>& rows);

/// A row per variant: perplexity with interval, ratio to dense with interval (same text only), change against no repair in %,
/// relative error, windows, tokens, and state: "fresh", "stale" or "not evaluated".
Table evaluation_table(const std::vector<EvaluationRow>& rows);

}  // namespace suture
