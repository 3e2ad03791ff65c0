// SPDX-License-Identifier: GPL-3.0-or-later
// What variants of the open model are worth beyond perplexity; results that the study's store holds are not computed again.
#pragma once

#include "core/evaluation/rolling.h"
#include "core/generation/reasoning.h"
#include "core/study/study.h"
#include "core/tasks/run.h"

namespace suture {

/// Throws Error with the reason when the study has no tokenizer.
const std::shared_ptr<const Tokenizer>& tokenizer_of(const Study& study);

/// [variant][task]. Each task is kept as soon as it is scored.
std::vector<std::vector<TaskResult>> score_tasks(const Study& study, std::span<const Variant> variants,
                                                 std::span<const TaskDocuments> tasks, const TaskSettings& settings,
                                                 const ComputeSettings& compute, Progress& progress);

/// In the order of the variants.
std::vector<RollingEvaluation> measure_rolling(const Study& study, std::span<const Variant> variants, const RollingText& text,
                                               const ComputeSettings& compute, Progress& progress);

/// In the order of the variants. `on_row` gets the variants' numbers in that order; of kept results all rows at once.
std::vector<ReasoningResult> answer_problems(const Study& study, std::span<const Variant> variants, const Problems& problems,
                                             const ReasoningSettings& settings, const ComputeSettings& compute, const OnRow& on_row,
                                             Progress& progress);

}  // namespace suture
