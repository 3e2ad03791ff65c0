// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/task.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"

namespace suture {
namespace {

/// The task that `name` belongs to, and what follows the task's own name.
std::pair<const Task*, std::string> find_task(const std::string& name) {
    std::string known;
    for (const Task* task : tasks()) {
        if (name == task->name) return {task, ""};
        if (task->part_separator && name.starts_with(task->name + task->part_separator)) return {task, name.substr(task->name.size() + 1)};
        known += (known.empty() ? "" : ", ") + task->name;
    }
    throw usage_error("there is no task named \"" + name + "\"; known are " + known + ", mmlu_GROUP, mmlu_SUBJECT and jsonl:FILE");
}

/// The same documents asked for again as a part of another group: they stay once, in the wider one.
void widen(TaskDocuments& kept, TaskDocuments again) {
    if (again.groups.size() > kept.groups.size()) kept.groups = std::move(again.groups);
    for (std::string& warning : again.warnings)
        if (std::find(kept.warnings.begin(), kept.warnings.end(), warning) == kept.warnings.end())
            kept.warnings.push_back(std::move(warning));
}

}  // namespace

std::vector<const Task*> tasks() {
    const auto all = all_benchmarks();
    std::vector<const Task*> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    return sorted;
}

std::vector<TaskDocuments> read_tasks(const std::filesystem::path& folder, const std::vector<std::string>& names,
                                      const TaskSettings& settings) {
    std::vector<TaskDocuments> all;
    std::set<std::string> asked;
    for (const std::string& name : names) {
        const auto twice = [](const std::string& what) { return usage_error("the task " + what + " is asked for twice"); };
        if (!asked.insert(name).second) throw twice(name);
        const auto [task, part] = find_task(name);
        const bool examples = (settings.fewshot < 0 ? task->usual_fewshot : settings.fewshot) > 0;
        for (TaskDocuments& documents : task->read({folder, part, examples})) {
            const auto kept = std::find_if(all.begin(), all.end(), [&](const TaskDocuments& d) { return d.name == documents.name; });
            if (kept != all.end()) {
                if (kept->digest != documents.digest || task->part_separator != '_') throw twice(documents.name);
                widen(*kept, std::move(documents));
                continue;
            }
            documents.metrics = task->metrics;
            documents.version = task->version;
            documents.usual_fewshot = task->usual_fewshot;
            all.push_back(std::move(documents));
        }
    }
    return all;
}

const std::vector<Setting<TaskSettings>>& TaskSettings::fields() {
    static const std::vector<Setting<TaskSettings>> list{
        {"fewshot", "Examples in front", "answered examples in front of every question; -1: as the task is usually run (mmlu 5, others 0)",
         &TaskSettings::fewshot},
        {"fewshot-seed", "Seed of the examples", "seed with which examples are drawn, as in lm_eval", &TaskSettings::fewshot_seed},
        {"limit", "Questions per task", "questions of each task, from the first; 0: all", &TaskSettings::limit},
        {"task-bos",
         "BOS in tasks",
         "one BOS in front of every prompt: auto is lm_eval 0.4.4's rule, never but for gemma families",
         &TaskSettings::task_bos,
         {"auto", "never", "always"}},
        {"max-length", "Longest prompt (tokens)", "tokens fed at most, longer prompts lose their beginning; 0: what the model allows",
         &TaskSettings::max_length},
    };
    return list;
}

}  // namespace suture
