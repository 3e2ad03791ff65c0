// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task_options.h"

#include <fstream>

#include "core/base/error.h"

namespace suture::cli {
namespace {

std::string task_names() {
    std::string names;
    for (const Task* task : suture::tasks()) names += (names.empty() ? "" : ", ") + task->name;
    return names;
}

void write_harness_json(const TaskOptions& options, const Study& study, std::span<const TaskResult> results) {
    std::ofstream file(options.harness_json);
    file << harness_json(results, study.model()->name(), options.settings).dump(1) << "\n";
    if (!file.flush()) throw Error(options.harness_json.string() + ": can't be written");
}

}  // namespace

void TaskOptions::add_to(CLI::App& app, const std::string& name) {
    app.add_option(name, tasks, "tasks to score, as lm_eval names them: " + task_names() + "; mmlu_GROUP, mmlu_SUBJECT, jsonl:FILE")
        ->type_name("LIST");
    app.add_option("--data", data, "folder with the tasks' original files")->type_name("DIR")->capture_default_str();
    app.add_option("--harness-json", harness_json, "also write the scores as lm-evaluation-harness writes them")->type_name("FILE");
    add_settings(app, settings);
}

std::vector<TaskDocuments> TaskOptions::read() const { return read_tasks(data, split_names(tasks), settings); }

std::vector<std::vector<TaskResult>> run_tasks(const TaskOptions& options, const Common& common, const Study& study,
                                               std::span<const Variant> variants, Progress& progress) {
    if (!study.tokenizer()) throw Error(study.tokenizer_problem());
    const auto documents = options.read();
    std::int64_t questions = 0;
    for (const TaskDocuments& task : documents) {
        for (const std::string& warning : task.warnings) common.say("note: " + warning);
        const auto all = std::int64_t(task.questions.size());
        questions += options.settings.limit > 0 ? std::min(options.settings.limit, all) : all;
    }
    common.say(std::to_string(documents.size()) + (documents.size() == 1 ? " task, " : " tasks, ") + std::to_string(questions) +
               " questions");
    const auto store = common.store();
    auto results =
        suture::run_tasks(*store, study.model(), variants, *study.tokenizer(), documents, options.settings, common.job.compute, progress);
    if (!options.harness_json.empty() && !results.empty()) write_harness_json(options, study, results.back());
    return results;
}

}  // namespace suture::cli
