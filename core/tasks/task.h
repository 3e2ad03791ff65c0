// SPDX-License-Identifier: GPL-3.0-or-later
// Multiple-choice tasks as lm-evaluation-harness poses them: from the files their authors publish to pairs of context and
// continuation. One file in core/tasks/benchmarks adds one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/setting.h"

namespace suture {

/// One possible answer. Ordinary tasks repeat the same context; in tasks of partial evaluation (winogrande, wsc273) the options
/// stand in the context and the answer is the rest of the sentence.
struct Choice {
    std::string context;
    std::string answer;  ///< without the space that separates it from the context
    bool operator==(const Choice&) const = default;
};

struct Question {
    std::vector<Choice> choices;
    int gold = 0;  ///< the right one
    bool operator==(const Question&) const = default;
};

/// How examples for few-shot prompts are taken.
enum class Draw {
    InOrder,   ///< the first n
    Random,    ///< n at random for every question
    OneSpare,  ///< n+1 at random, the last one dropped: what the harness does where a task names no test split
};

/// A task as read from disk.
struct TaskDocuments {
    std::string name;                 ///< as in lm_eval: "arc_easy", "mmlu_anatomy"
    std::vector<std::string> groups;  ///< that were asked for and hold it, from the narrow to the wide: "mmlu_stem", "mmlu"
    std::vector<std::string> metrics;
    double version = 1;              ///< the harness's version of the task
    std::int64_t usual_fewshot = 0;  ///< examples in published numbers
    std::string description;         ///< in front of every prompt
    std::vector<Question> questions;
    std::vector<Question> examples;  ///< to draw few-shot examples from
    Draw draw = Draw::Random;
    std::vector<std::string> files;     ///< names of the files read
    std::string digest;                 ///< SHA-256 over their bytes
    std::vector<std::string> warnings;  ///< sentences for people
};

/// Where a task is read from.
struct TaskSource {
    std::filesystem::path folder;  ///< laid out as docs/tasks.md tells
    std::string part;              ///< what followed the task's name: "stem", "anatomy", a file
    bool examples = false;         ///< whether few-shot examples are wanted
};

struct Task {
    int order = 0;
    std::string name;   ///< in the terminal, as in lm_eval
    std::string label;  ///< in the window
    std::string help;   ///< one sentence
    std::vector<std::string> metrics = {"acc"};
    double version = 1;
    std::int64_t usual_fewshot = 0;
    /// What may follow the name: "_stem" or "_anatomy" behind mmlu, ":FILE" behind jsonl; 0: nothing.
    char part_separator = 0;
    /// Fills name, groups, description, questions, examples and draw. Throws Error naming the file and line.
    std::vector<TaskDocuments> (*read)(const TaskSource& source) = nullptr;
};

/// Every task, one per file, by file name.
std::span<const Task* const> all_benchmarks();
/// In the order in which they are offered.
std::vector<const Task*> tasks();

struct TaskSettings {
    std::int64_t fewshot = -1;         ///< examples with their answers in front of a question; -1: as the task is usually run
    std::int64_t fewshot_seed = 1234;  ///< of the draw, as in lm_eval
    std::int64_t limit = 0;            ///< questions of each task, from the first; 0: all
    std::string task_bos = "auto";     ///< "auto" (never, but always for gemma families: lm_eval 0.4.4) | "never" | "always"
    std::int64_t max_length = 0;       ///< tokens fed at most; longer prompts lose their beginning; 0: max_position_embeddings

    static const std::vector<Setting<TaskSettings>>& fields();
};

/// The documents of the tasks named, e.g. {"arc_easy", "mmlu_stem", "jsonl:mine.jsonl"}, from a folder laid out as docs/tasks.md
/// tells. Groups that overlap give a subject once, in the wider group.
/// Throws a usage Error for a name that is unknown or given twice; Error for files that are absent or wrong.
std::vector<TaskDocuments> read_tasks(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                      const TaskSettings& settings);

/// What is scored: log p(continuation | context).
struct Request {
    std::string context, continuation;
    bool operator==(const Request&) const = default;
};

/// A question with everything that stands in front of it.
struct PosedQuestion {
    std::vector<Request> requests;                ///< one per choice
    std::vector<std::int64_t> characters, bytes;  ///< length of each answer, in Unicode code points and in UTF-8 bytes
    int gold = 0;
};

/// Examples in front of every question of this task.
std::int64_t fewshot_of(const TaskDocuments& task, const TaskSettings& settings);

/// The requests of a task, as strings: description, examples, question; the answer behind one space. Random examples are those
/// that Python's random.Random(seed).sample() draws, question after question. Throws a usage Error when there are too few examples.
std::vector<PosedQuestion> documents_of(const TaskDocuments& task, const TaskSettings& settings);

}  // namespace suture
