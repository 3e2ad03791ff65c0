// SPDX-License-Identifier: GPL-3.0-or-later
// Generate and check: what a model works out, against known answers.
#pragma once

#include <filesystem>
#include <optional>

#include "core/generation/chat_template.h"
#include "core/generation/generate.h"
#include "core/store/store.h"

namespace suture {

struct Problem {
    std::string prompt, answer;  ///< as the file has them
    bool operator==(const Problem&) const = default;
};

struct Problems {
    std::vector<Problem> list;
    std::string source, digest;  ///< file name without folder; SHA-256 of its bytes
};

/// A .jsonl file of {"prompt": …, "answer": …}; an answer may be a number. Other members are ignored. `limit`: only the first
/// ones; 0: all. Throws Error naming the file and the line that lacks one of them.
Problems read_problems(const std::filesystem::path& file, std::int64_t limit);

struct ReasoningSettings {
    GenerationSettings generation = {.max_tokens = 1024};
    std::string chat = "auto";  ///< "auto": the checkpoint's chat template when it has one | "never"
    std::string system;         ///< message for it; empty: the template's own
    std::string instruction;    ///< added behind every prompt after a blank, e.g. "Put the final answer within \boxed{}."

    nlohmann::json to_json() const;
};

struct ReasoningRow {
    Problem problem;
    Generation generation;
    std::optional<std::string> answer;  ///< final_answer() of the generation
    bool correct = false;               ///< equals expected_answer() of the problem
};

/// One variant's work on all problems.
struct ReasoningResult {
    std::vector<ReasoningRow> rows;
    nlohmann::json conditions;  ///< model, variant, problems, settings, chat form

    double accuracy() const;         ///< correct / problems
    double accuracy_stderr() const;  ///< sample standard deviation / sqrt(n); 0 for one problem
    std::int64_t cut_off() const;    ///< generations that the token limit ended
    nlohmann::json to_json() const;  ///< {accuracy, accuracy_stderr, problems, cut_off, rows, conditions}
    Artefact to_artefact() const;
    static ReasoningResult from_artefact(const Artefact& artefact);
};

/// The text a model reads for one problem.
std::string reasoning_prompt(const Problem& problem, const std::optional<ChatTemplate>& chat, const ReasoningSettings& settings);

/// `row` of variant `variant` is done; rows come in order.
using OnRow = std::function<void(std::size_t variant, const ReasoningRow& row)>;

/// All variants on all problems, side by side; in the order of the variants. With a temperature, problem i draws with seed + i.
/// Throws Cancelled; Error when the checkpoint's chat template is not supported (chat "never" does without).
std::vector<ReasoningResult> run_reasoning(std::shared_ptr<const Model> model, std::shared_ptr<const Tokenizer> tokenizer,
                                           std::span<const Variant> variants, const Problems& problems, const ReasoningSettings& settings,
                                           const ComputeSettings& compute, const OnRow& on_row, Progress& progress);

Key reasoning_key(const Model& model, const Variant& variant, const Problems& problems, const ReasoningSettings& settings,
                  const ComputeSettings& compute);

}  // namespace suture
