// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::int64_t logits = 0;
};

void run(Options& options) {
    options.job.evaluation_windows = options.job.windows.windows;
    const Study study = options.open();
    const Windows windows = study.evaluation_windows(options.text, options.job);
    say_before_run(options, study, windows, estimate_evaluation(*study, 1, windows, options.job.compute));
    Progress progress = make_progress(options);
    const std::vector<Variant> dense(1);
    const auto evaluation = study.evaluate(dense, windows, options.job, options.logits, progress)[0];
    Table table{.title = study.model()->name() + " on " + windows.source,
                .columns = {{"perplexity", 4}, {"95 % low", 4}, {"95 % high", 4}, {"windows"}, {"predicted tokens"}}};
    const auto interval = evaluation->interval();
    table.rows.push_back({evaluation->perplexity(), interval ? Cell(interval->low) : Cell(), interval ? Cell(interval->high) : Cell(),
                          std::int64_t(evaluation->windows.size()), evaluation->tokens()});
    options.write(evaluation->to_json(), {table});
}

}  // namespace

void add_evaluate(CLI::App& app) {
    auto options = std::make_shared<Options>();
    options->job.windows.windows = 0;  // an evaluation takes all the text gives
    CLI::App* command = app.add_subcommand("evaluate", "Perplexity of a checkpoint on a text");
    options->add_to(*command, true);
    command->add_option("--logits", options->logits, "with --json: also write the logits of the first so many positions of every window")
        ->check(CLI::NonNegativeNumber);
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
