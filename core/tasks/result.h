// SPDX-License-Identifier: GPL-3.0-or-later
// What a variant got in a task: log-likelihoods as they were computed, and the scores made of them.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/store/store.h"
#include "core/tasks/task.h"

namespace suture {

/// One document, scored.
struct TaskRow {
    std::vector<double> loglikelihood;            ///< per choice, nats, summed over the continuation's tokens
    std::vector<bool> is_greedy;                  ///< per choice: every token was the likeliest one
    std::vector<std::int64_t> characters, bytes;  ///< length of each answer, for acc_norm and acc_bytes
    int gold = 0;
};

struct Score {
    double value = 0;
    /// Sample standard deviation / sqrt(n), n-1 in the deviation; of a group pooled over its tasks. None for one document.
    std::optional<double> stderr_;
};

struct TaskResult {
    std::string name;
    std::vector<std::string> groups;   ///< it belongs to, from the narrow to the wide
    std::vector<std::string> metrics;  ///< "acc", "acc_norm"
    double version = 1;
    std::int64_t available = 0;  ///< questions in the files; rows may be fewer by a limit
    std::int64_t fewshot = 0;
    std::vector<TaskRow> rows;
    std::vector<std::string> subtasks;                     ///< of a group, in the order of its rows
    std::vector<std::int64_t> subtask_sizes;               ///< documents of each; empty for a task
    nlohmann::json conditions = nlohmann::json::object();  ///< model, variant, dtype, files, fewshot, limit, task_bos, max_length

    /// "acc": share of documents whose right answer has the highest log-likelihood, first of equals; "acc_norm": log-likelihoods
    /// divided by the answer's code points; "acc_bytes": by its UTF-8 bytes.
    Score score(const std::string& metric) const;
    /// acc_norm where the task lists it, else acc: what the paper's tables show.
    const std::string& headline() const { return metrics.back(); }
    /// Documents whose highest log-likelihood two choices share.
    std::int64_t ties() const;

    /// {documents, acc, acc_stderr[, acc_norm, acc_norm_stderr, acc_bytes, acc_bytes_stderr], ties, rows: [{loglikelihood,
    /// is_greedy, gold}], conditions}. A missing stderr is null.
    nlohmann::json to_json() const;
    Artefact to_artefact() const;
    static TaskResult from_artefact(const Artefact& artefact);
};

/// The tasks as they are, and behind them every group they belong to: its rows are theirs, so that the score is weighted by size
/// as in lm_eval.
std::vector<TaskResult> with_groups(std::span<const TaskResult> results);

/// CONTRACT form: {NAME: to_json()} of tasks and groups.
nlohmann::json tasks_json(std::span<const TaskResult> results);

/// The results file of lm-evaluation-harness 0.4 with its key names: results {NAME: {"alias", "acc,none", "acc_stderr,none", …}},
/// groups, group_subtasks, configs, versions, n-shot, higher_is_better, n-samples, config. Our conditions are named "suture": a task's
/// own in configs.NAME, those that all tasks share in config. `model` is written as model_name; name the variant in it.
nlohmann::json harness_json(std::span<const TaskResult> results, const std::string& model, const TaskSettings& settings);

}  // namespace suture
