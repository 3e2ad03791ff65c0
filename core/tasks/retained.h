// SPDX-License-Identifier: GPL-3.0-or-later
// Variants against each other over several tasks: average, retained performance, wins. Pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/tasks/result.h"

namespace suture {

/// Mean over tasks of each task's headline score (acc_norm where listed, else acc), in percent. A group counts as one task, as
/// MMLU does in published tables.
double task_average(std::span<const TaskResult> results);

/// The average as a percentage of the dense model's average.
double retained_performance(double average, double dense_average);

/// Mean over tasks of each score as a percentage of the dense model's in that task: the RP that LinearPatch's tables print. It
/// weighs tasks with low scores more. The same tasks in the same order; tasks in which the dense model scores 0 are left out.
double retained_task_by_task(std::span<const TaskResult> results, std::span<const TaskResult> dense);

/// Per variant the number of tasks in which no other variant scores higher; equals share a win. `variants`: [variant][task], the
/// same tasks in the same order; leave the dense model out to compare the pruned ones.
std::vector<int> task_wins(const std::vector<std::vector<TaskResult>>& variants);

/// One row per variant: score of every task in percent, average, retained performance of both kinds, wins among the rows behind the
/// first.
/// `results`: [variant][task], the dense model first.
Table task_table(const std::vector<std::string>& names, const std::vector<std::vector<TaskResult>>& results);

/// One row per task and group of one variant: documents, scores, standard errors. A group stands in front of its members.
Table score_table(const std::string& name, std::span<const TaskResult> results);

/// The uncertainty of task_table(): one row per task, groups as one, and variant: documents scored and there, examples, BOS, the
/// headline score, its standard error.
Table score_table(const std::vector<std::string>& names, const std::vector<std::vector<TaskResult>>& results);

}  // namespace suture
