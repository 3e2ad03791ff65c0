// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common.h"
#include "app/cli/rolling_options.h"
#include "app/cli/task_options.h"
#include "core/base/error.h"
#include "core/figures/rolling.h"
#include "core/tasks/retained.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::int64_t logits = 0;
    TaskOptions tasks;
    RollingOptions rolling;
};

void add_perplexity(Options& options, const Study& study, Progress& progress, nlohmann::json& json, std::vector<Table>& tables) {
    options.job.evaluation_windows = options.job.windows.windows;
    const Windows windows = study.evaluation_windows(options.text, options.job);
    say_before_run(options, study, windows, estimate_evaluation(*study, 1, windows, options.job.compute));
    const std::vector<Variant> dense(1);
    const auto evaluation = study.evaluate(dense, windows, options.job, options.logits, progress)[0];
    Table table{.title = study.model()->name() + " on " + windows.source,
                .columns = {{"perplexity", 4}, {"95 % low", 4}, {"95 % high", 4}, {"windows"}, {"predicted tokens"}}};
    const auto interval = evaluation->interval();
    table.rows.push_back({evaluation->perplexity(), interval ? Cell(interval->low) : Cell(), interval ? Cell(interval->high) : Cell(),
                          std::int64_t(evaluation->windows.size()), evaluation->tokens()});
    json.update(evaluation->to_json());
    tables.push_back(std::move(table));
}

void add_tasks(const Options& options, const Study& study, Progress& progress, nlohmann::json& json, std::vector<Table>& tables) {
    const std::vector<Variant> dense(1);
    const auto results = run_tasks(options.tasks, options, study, {"dense"}, dense, progress)[0];
    json["tasks"] = tasks_json(results);
    tables.push_back(score_table(study.model()->name(), results));
}

void add_rolling(const Options& options, const Study& study, Progress& progress, nlohmann::json& json, std::vector<Table>& tables) {
    const std::vector<Variant> dense(1);
    const auto results = run_rolling(options.rolling, options, study, dense, progress);
    json["rolling"] = results[0].to_json();
    const std::string name = study.model()->name();
    tables.push_back(
        rolling_table(name + " on " + options.rolling.file.filename().string() + ", word and byte perplexity", {name}, results));
}

void run(Options& options) {
    options.tasks.check_use();
    options.rolling.check_use();
    const bool text = !options.text.empty();
    if (!text && !options.tasks.wanted() && !options.rolling.wanted())
        throw usage_error("nothing to evaluate on was given; give --text FILE, --rolling FILE, or --tasks LIST and --data DIR");
    const Study study = options.open();
    Progress progress = make_progress(options);
    nlohmann::json json = nlohmann::json::object();
    std::vector<Table> tables;
    if (text) add_perplexity(options, study, progress, json, tables);
    if (options.tasks.wanted()) add_tasks(options, study, progress, json, tables);
    if (options.rolling.wanted()) add_rolling(options, study, progress, json, tables);
    options.write(json, tables);
}

}  // namespace

void add_evaluate(CLI::App& app) {
    auto options = std::make_shared<Options>();
    options->job.windows.windows = 0;  // an evaluation takes all the text gives
    CLI::App* command = app.add_subcommand("evaluate", "Perplexity of a checkpoint on texts, and its accuracy in tasks");
    options->add_to(*command, true);
    command->add_option("--logits", options->logits, "with --json: also write the logits of the first so many positions of every window")
        ->check(finite_number);
    options->tasks.add_to(*command, "--tasks");
    options->rolling.add_to(*command, "--rolling");
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
