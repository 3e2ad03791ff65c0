// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks scored on variants of a model.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/key.h"
#include "core/base/progress.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/store/store.h"
#include "core/tasks/result.h"
#include "core/tasks/task.h"
#include "core/text/tokenizer.h"

namespace suture {

/// What a run will compute, known before it starts: for an estimate of the time.
struct TaskLoad {
    std::int64_t documents = 0, requests = 0;
    std::int64_t tokens = 0;           ///< in all requests
    std::int64_t distinct_tokens = 0;  ///< when what requests share at their beginnings is computed once
};

/// Encodes the tasks without running the model. Throws as run_tasks() does.
TaskLoad measure_tasks(const Model& model, const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks, const TaskSettings& settings,
                       const ComputeSettings& compute);

/// Scores every task on every variant: [variant][task]. Layers that variants share from the embeddings on run once, and so does
/// what requests share at their beginnings; the head sees only rows that predict a continuation token, a block of them at a time.
/// Throws Cancelled; Error naming task and question where a request can't be encoded or a value is not finite.
std::vector<std::vector<TaskResult>> run_tasks(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                               const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks,
                                               const TaskSettings& settings, const ComputeSettings& compute, Progress& progress);

/// The same, with results that are in `store` already not run again. Each task is kept as soon as it is scored.
std::vector<std::vector<TaskResult>> run_tasks(Store& store, std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                               const Tokenizer& tokenizer, std::span<const TaskDocuments> tasks,
                                               const TaskSettings& settings, const ComputeSettings& compute, Progress& progress);

/// Names the TaskResult of one variant by everything it depends on. A task's other settings do not enter: with no examples in front
/// the seed of their draw changes nothing.
Key task_key(const Model& model, const Variant& variant, const TaskDocuments& task, const TaskSettings& settings,
             const ComputeSettings& compute);

}  // namespace suture
