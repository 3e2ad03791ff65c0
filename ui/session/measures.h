// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen to measure beyond perplexity: a part of the document.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/evaluation/rolling.h"
#include "core/generation/sampling.h"
#include "core/generation/speed.h"
#include "core/tasks/task.h"

namespace suture {

struct TaskChoice {
    std::filesystem::path folder;    ///< laid out as docs/tasks.md tells; empty: not chosen
    std::vector<std::string> names;  ///< as read_tasks() takes them
    TaskSettings settings = {.limit = 100};
};

struct RollingChoice {
    std::filesystem::path file;  ///< empty: not chosen
    RollingSettings settings;
};

struct DomainChoice {
    std::vector<std::filesystem::path> texts;  ///< to compare patches across
    std::int64_t windows = 32;                 ///< of each text to evaluate on, at most; 0: all
};

struct PromptChoice {
    std::string prompt;
    bool chat = false;  ///< as a user's message in the checkpoint's chat template
    GenerationSettings generation;
};

struct AnswerChoice {
    std::filesystem::path problems;  ///< .jsonl file; empty: not chosen
    std::int64_t limit = 20;         ///< only the first ones; 0: all
    bool chat = true;                ///< in the chat template when the checkpoint has one
    std::string instruction;         ///< added behind every prompt
    GenerationSettings generation = {.max_tokens = 256};
};

/// What SPEC.json of `suture-cli ablate` holds; members it lacks follow what is chosen in the window.
struct AblationChoice {
    nlohmann::json spec = nlohmann::json::object();
};

struct Measures {
    TaskChoice tasks;
    RollingChoice rolling;
    SpeedSettings speed;
    DomainChoice domains;
    PromptChoice prompt;
    AnswerChoice answers;
    AblationChoice ablation;

    nlohmann::json to_json() const;
    static Measures from_json(const nlohmann::json& json);
};

}  // namespace suture
