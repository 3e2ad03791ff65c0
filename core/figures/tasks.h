// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Evaluate, view Tasks: which abilities did it cost?
#pragma once

#include <vector>

#include "core/base/table.h"
#include "core/figures/variant_label.h"
#include "core/tasks/result.h"

namespace suture {

/// What one variant got in every task; all variants in the same tasks and order.
struct TaskScores {
    VariantLabel variant;
    std::vector<TaskResult> results;
};

/// Headline score of every task and group in percent, a bar per variant, with the standard error to both sides.
Figure task_bars(const std::vector<TaskScores>& rows);

/// Variants × tasks with average, retained performance of both kinds and wins, as task_table() computes them, and state. Every
/// score's note tells its conditions. The first row should be the dense model.
Table task_scores_table(const std::vector<TaskScores>& rows);

}  // namespace suture
