// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/common.h"
#include "core/study/report_json.h"

namespace suture::cli {
namespace {

struct Options : Common {
    std::string remove;
};

Table layer_table(const Statistics& s) {
    Table table{.title = "What each layer does to the residual stream",
                .columns = {{"layer"}, {"cosine in/out", 4}, {"block influence", 4}, {"mean L2 in", 2}, {"mean L2 out", 2}}};
    const auto influence = s.block_influence();
    for (int l = 0; l < s.layers; ++l)
        table.rows.push_back({std::int64_t(l), s.cosine_token.at(l, l + 1), influence[std::size_t(l)], s.mean_l2(l), s.mean_l2(l + 1)});
    return table;
}

Table choice_table(const Statistics& s, int n) {
    Table table{.title = "Best " + std::to_string(n) + " of " + std::to_string(s.layers) + " to remove",
                .columns = {{"criterion"}, {"removes layers"}, {"score", 4}}};
    for (const Criterion* criterion : criteria()) {
        const Ranking ranking = rank_layers(s, criterion->name, n);
        const Cell score = ranking.blocks ? Cell(ranking.scores.at(ranking.removed.layers().front())) : Cell();
        table.rows.push_back({criterion->label, ranking.removed.words(), score});
    }
    return table;
}

void run(const Options& options) {
    const Study study = options.open();
    const auto counts = parse_counts(options.remove);
    for (const int n : counts) check_removal_count(study.model()->architecture().layers, n);
    const Windows windows = study.calibration_windows(options.text, options.job);
    say_before_run(options, study, windows, estimate_calibration(*study, windows, options.job.compute));
    Progress progress = make_progress(options);
    const auto statistics = study.calibrate(windows, options.job, progress);
    std::vector<Table> tables{layer_table(*statistics)};
    for (const int n : counts) tables.push_back(choice_table(*statistics, n));
    options.write(analysis_to_json(*study, *statistics, counts), tables);
}

}  // namespace

void add_analyze(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("analyze", "Measure every layer on a calibration text");
    options->add_to(*command, true);
    command->add_option("--remove", options->remove, "also rank blocks of so many layers, e.g. 4 or 3,6,9")->type_name("N[,N..]");
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
