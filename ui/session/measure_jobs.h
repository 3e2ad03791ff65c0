// SPDX-License-Identifier: GPL-3.0-or-later
// What the jobs behind tasks, rolling perplexity, speed, texts across and generation do, on a lane's thread.
#pragma once

#include "core/figures/generation.h"
#include "core/figures/tasks.h"
#include "core/study/domains.h"
#include "ui/session/feed.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

/// What measurements have in common.
struct MeasuredSet {
    std::vector<VariantLabel> variants;  ///< the dense model first
    LayerSet removed;
    Key dense_key;  ///< all that the dense model's numbers depend on
};

/// The variants, those with numbers from other conditions marked: all but the dense model are when the result is `outdated`, the
/// dense model only when `dense_key` has changed.
std::vector<VariantLabel> marked(const MeasuredSet& set, bool outdated, const Key& dense_key);

/// Known before tasks are scored.
struct TaskEstimate {
    std::int64_t questions = 0;
    double tokens = 0;                 ///< about as many have to be run
    std::vector<std::string> remarks;  ///< sentences for people
};
/// Reads the files and encodes the first questions of each task.
std::shared_ptr<const TaskEstimate> estimate_tasks(const JobInputs& inputs);

struct TaskSet : MeasuredSet {
    std::vector<std::vector<TaskResult>> results;  ///< [variant][task]
    int tasks = 0;                                 ///< that will be scored in all
    std::string now;                               ///< the task being scored; empty: none
    /// For the figures.
    std::vector<TaskScores> rows(const std::vector<VariantLabel>& labels) const;
};
/// `feed` holds the tasks that are done.
std::shared_ptr<const TaskSet> make_task_set(const JobInputs& inputs, const Key& dense_key, Feed<TaskSet>& feed, Progress& progress);

struct RollingSet : MeasuredSet {
    std::vector<RollingEvaluation> results;
};
std::shared_ptr<const RollingSet> make_rolling_set(const JobInputs& inputs, const Key& dense_key, Progress& progress);

struct SpeedSet : MeasuredSet {
    SpeedComparison found;
};
std::shared_ptr<const SpeedSet> make_speed_set(const JobInputs& inputs, const Key& dense_key, Progress& progress);

std::shared_ptr<const DomainMatrix> make_domain_matrix(const JobInputs& inputs, Progress& progress);

/// Texts as they grow; complete ones when `generations` is filled.
struct TextSet : MeasuredSet {
    std::vector<std::string> texts;       ///< per variant
    std::vector<std::int64_t> tokens;     ///< new ones, per variant
    std::vector<Generation> generations;  ///< per variant, when all are done
    TokenLosses losses;
};
std::shared_ptr<const TextSet> make_text_set(const JobInputs& inputs, const Key& dense_key, Feed<TextSet>& feed, Progress& progress);

/// Of the problems that will be worked on.
struct ProblemsSize {
    std::int64_t problems = 0, bytes = 0;
};
std::shared_ptr<const ProblemsSize> size_of_problems(const AnswerChoice& choice);

struct AnswerSet : MeasuredSet {
    std::vector<std::vector<ReasoningRow>> rows;  ///< per variant, as far as they are answered
    std::vector<ReasoningResult> results;         ///< per variant, when all are done
};
std::shared_ptr<const AnswerSet> make_answer_set(const JobInputs& inputs, const Key& dense_key, Feed<AnswerSet>& feed, Progress& progress);

/// The beginning of a window of the evaluation text, as text or, without a tokenizer, as ids.
std::string window_words(const JobInputs& inputs, std::size_t window);

}  // namespace suture
