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

/// The file itself for one variant; of several every one's own: scores.json → scores_dense.json.
std::filesystem::path harness_file(const TaskOptions& options, const std::vector<std::string>& names, std::size_t variant) {
    std::filesystem::path file = options.harness_json;
    if (names.size() > 1) file.replace_filename(file.stem().string() + "_" + names[variant] + file.extension().string());
    return file;
}

void write_harness_json(const TaskOptions& options, const Study& study, const std::vector<std::string>& names,
                        const std::vector<std::vector<TaskResult>>& results) {
    for (std::size_t v = 0; v < results.size(); ++v) {
        const std::filesystem::path path = harness_file(options, names, v);
        const std::string model = study.model()->name() + (names.size() > 1 ? ", " + names[v] : "");
        std::ofstream file(path);
        file << harness_json(results[v], model, options.settings).dump(1) << "\n";
        if (!file.flush()) throw Error(path.string() + ": can't be written");
    }
}

/// "5 examples in front; the first 20 questions of each; no BOS in front".
std::string conditions_words(const TaskOptions& options, const TaskResult& result) {
    const std::int64_t shots = options.settings.fewshot, limit = options.settings.limit;
    return (shots < 0 ? "examples as each task is usually run" : std::to_string(shots) + " examples in front of every question") + "; " +
           (limit > 0 ? "the first " + std::to_string(limit) + " questions of each task" : "all questions") +
           "; BOS in front: " + result.conditions.value("task_bos", "never") + (options.settings.task_bos == "auto" ? " (auto)" : "");
}

}  // namespace

void TaskOptions::add_to(CLI::App& app, const std::string& name) {
    command_ = &app;
    option_ = name;
    app.add_option(name, tasks, "tasks to score, as lm_eval names them: " + task_names() + "; mmlu_GROUP, mmlu_SUBJECT, jsonl:FILE")
        ->type_name("LIST");
    app.add_option("--data", data, "folder with the tasks' original files")->type_name("DIR")->capture_default_str();
    app.add_option("--harness-json", harness_json,
                   "also write the scores as lm-evaluation-harness writes them; of several variants each to a file of its own, FILE with "
                   "the variant's name before the extension")
        ->type_name("FILE");
    add_settings(app, settings);
}

void TaskOptions::check_use() const {
    if (!wanted() && command_) {
        std::vector<std::string> options{"--data", "--harness-json"};
        for (const auto& field : TaskSettings::fields()) options.push_back("--" + field.name);
        refuse_without(*command_, options, option_);
    }
    check_can_be_written(harness_json);
}

std::vector<TaskDocuments> TaskOptions::read() const { return read_tasks(data, split_names(tasks), settings); }

std::vector<std::vector<TaskResult>> run_tasks(const TaskOptions& options, const Common& common, const Study& study,
                                               const std::vector<std::string>& names, std::span<const Variant> variants,
                                               Progress& progress) {
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
    warn_of_length(common, study, "--max-length allows", options.settings.max_length);
    const auto store = common.store();
    auto results =
        suture::run_tasks(*store, study.model(), variants, *study.tokenizer(), documents, options.settings, common.job.compute, progress);
    if (!results.empty() && !results[0].empty()) common.say(conditions_words(options, results[0][0]));
    if (!options.harness_json.empty()) write_harness_json(options, study, names, results);
    return results;
}

}  // namespace suture::cli
