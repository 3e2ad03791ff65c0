// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "app/cli/common.h"
#include "core/base/error.h"
#include "core/study/report_json.h"

namespace suture::cli {
namespace {

struct Options : Common {
    int remove = 0;
    std::string layers, criterion = "cosine", repairs = "none", export_repair;
    std::filesystem::path scales, evaluate_ids, evaluate, target;
};

/// What is known after the cut is chosen and repaired.
struct Job {
    LayerSet removed;
    std::string chosen;                            ///< how, in words
    std::shared_ptr<const Statistics> statistics;  ///< null when nothing needed them
    Windows calibration;
    std::vector<Repaired> repaired;
};

bool needs_statistics(const Options& options, const std::vector<std::string>& kinds) {
    return options.layers.empty() || std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return repair_kind(kind).fitted; });
}

/// All that can be known to be wrong before the model is run.
void check_use(const Options& options, const CLI::App& command, const Study& study) {
    const auto ways = command.count("--remove") + command.count("--layers") + command.count("--import-patch");
    if (ways != 1) throw usage_error("prune: give exactly one of --remove N, --layers LIST and --import-patch FILE");
    const auto kinds = split_names(options.repairs);
    if (kinds.empty()) throw usage_error("prune: --repair names no repair");
    for (const auto& kind : kinds) {
        repair_kind(kind);
        if (std::count(kinds.begin(), kinds.end(), kind) > 1) throw usage_error("prune: --repair names " + kind + " twice");
    }
    criterion_named(options.criterion);
    if (command.count("--remove")) check_removal_count(study.model()->architecture().layers, options.remove);
    if (!options.export_repair.empty() && std::find(kinds.begin(), kinds.end(), options.export_repair) == kinds.end())
        throw usage_error("prune: --export-repair " + options.export_repair + " is not among the repairs of --repair");
    if (!options.evaluate.empty() && !options.evaluate_ids.empty())
        throw usage_error("prune: give either --evaluate or --evaluate-ids, not both");
    for (const auto& file : {options.text.text, options.text.ids, options.evaluate, options.evaluate_ids})
        if (!file.empty() && !std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file");
    if (options.target.empty()) return;
    const std::string problem = export_problem(*study, options.target, options.job.export_);
    if (!problem.empty()) throw Error(problem);
}

Job choose_and_repair(const Options& options, const Study& study, Progress& progress) {
    Job job;
    const int layers = study.model()->architecture().layers;
    if (!options.scales.empty()) {
        job.repaired = {import_scales(options.scales, *study)};
        job.removed = job.repaired[0].variant.removed();
        job.repaired.insert(job.repaired.begin(), no_repair(job.removed));
        job.chosen = words_of_choice(job.removed, layers, "") + " (from " + options.scales.filename().string() + ")";
        return job;
    }
    if (!options.layers.empty()) job.removed = LayerSet::parse(options.layers, layers);
    const auto kinds = split_names(options.repairs);
    if (needs_statistics(options, kinds)) {
        if (options.text.empty())
            throw usage_error("prune: --text FILE (or --ids FILE) is needed to " +
                              std::string(options.layers.empty() ? "choose layers" : "fit a repair"));
        job.calibration = study.calibration_windows(options.text, options.job);
        say_before_run(options, study, job.calibration, estimate_calibration(*study, job.calibration, options.job.compute));
        job.statistics = study.calibrate(job.calibration, options.job, progress);
    }
    std::string label;
    if (options.layers.empty()) {
        job.removed = rank_layers(*job.statistics, options.criterion, options.remove).removed;
        label = criterion_named(options.criterion).label;
    }
    job.chosen = words_of_choice(job.removed, layers, label);
    for (const auto& kind : kinds)
        job.repaired.push_back(repair_kind(kind).fitted
                                   ? study.repair(*job.statistics, job.calibration, job.removed, kind, options.job, progress)
                                   : no_repair(job.removed));
    return job;
}

std::string json_key(const Options& options, const Repaired& repaired) {
    return options.scales.empty() || repaired.kind == "none" ? repair_json_key(repaired.kind, options.job.repair) : "imported";
}

void evaluate_all(const Options& options, const Study& study, const Job& job, nlohmann::json& result, Table& table, nlohmann::json& report,
                  Progress& progress) {
    const TextSource source{options.evaluate, options.evaluate_ids};
    if (source.empty()) return;
    const Windows windows = study.evaluation_windows(source, options.job);
    for (const auto& warning : windows.warnings) options.say("note: " + warning);
    std::vector<Variant> variants(1);
    for (const Repaired& repaired : job.repaired) variants.push_back(repaired.variant);
    const auto evaluations = study.evaluate(variants, windows, options.job, 0, progress);
    result["dense"] = evaluations[0]->to_json();
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const Evaluation& e = *evaluations[i];
        const std::string name = i == 0 ? "dense" : json_key(options, job.repaired[i - 1]);
        if (i > 0) result["variants"][name].update(e.to_json());
        const auto interval = e.interval();
        const Cell error = i > 0 && !std::isnan(job.repaired[i - 1].worst_error()) ? Cell(job.repaired[i - 1].worst_error()) : Cell();
        table.rows.push_back({name, e.perplexity(), interval ? Cell(interval->low) : Cell(), interval ? Cell(interval->high) : Cell(),
                              e.perplexity() / evaluations[0]->perplexity(), error});
        nlohmann::json row{{"name", name}, {"perplexity", e.perplexity()}};
        if (interval) row.update({{"low", interval->low}, {"high", interval->high}});
        report["results"].push_back(row);
    }
    report["conditions"] = evaluations[0]->conditions;
    report["conditions"].erase("variant");
}

const Repaired& exported(const Options& options, const Job& job) {
    for (const Repaired& repaired : job.repaired)
        if (repaired.kind == options.export_repair) return repaired;
    return job.repaired.back();
}

void run(const Options& options, const CLI::App& command) {
    const Study study = options.open();
    check_use(options, command, study);
    Progress progress = make_progress(options);
    const Job job = choose_and_repair(options, study, progress);
    options.say("removes " + job.chosen);
    const int layers = study.model()->architecture().layers;
    nlohmann::json result = cut_to_json(job.removed, layers);
    result["chosen"] = job.chosen;
    result["settings"] = options.job.to_json();
    if (options.remove > 0) result["criterion"] = options.criterion;
    if (job.statistics) result["calibration"] = job.statistics->conditions;
    if (job.statistics && int(job.removed.size()) <= layers - 2)
        result["selection"] = selection_to_json(*job.statistics, job.removed.size());
    for (const Repaired& repaired : job.repaired) result["variants"][json_key(options, repaired)] = repaired.to_json();
    Table table{
        .title = "Perplexity",
        .columns = {
            {"variant"}, {"perplexity", 4}, {"95 % low", 4}, {"95 % high", 4}, {"times dense", 4}, {"relative error, worst seam", 4}}};
    nlohmann::json report{{"chosen", job.chosen}, {"settings", options.job.to_json()}, {"results", nlohmann::json::array()}};
    if (job.statistics) report["calibration"] = job.statistics->conditions;
    evaluate_all(options, study, job, result, table, report, progress);
    if (!options.target.empty()) {
        const Windows* check = job.statistics ? &job.calibration : nullptr;
        const ExportResult written = study.export_to(options.target, exported(options, job), report, check, options.job, progress);
        result["export"] = written.to_json();
        options.say(options.target.string() + ": written; largest logit difference after reading it back " +
                    std::to_string(written.largest_logit_difference));
        if (!written.equal())
            throw Error(options.target.string() + ": the exported model's logits differ from the model in memory by " +
                            std::to_string(written.largest_logit_difference),
                        Error::Kind::Internal);
    }
    options.write(result, table.rows.empty() ? std::vector<Table>() : std::vector<Table>{table});
}

}  // namespace

void add_prune(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("prune", "Remove layers, repair the seams, measure and export");
    options->add_to(*command, true);
    command->add_option("--remove", options->remove, "remove so many layers, chosen by --criterion")->type_name("N");
    command->add_option("--layers", options->layers, "remove these layers, counted from 0, e.g. 3,7-9")->type_name("LIST");
    command->add_option("--import-patch", options->scales, "layers and patch from a scales.pt of the published LinearPatch scripts")
        ->type_name("FILE");
    std::string criteria_help = "how to choose layers:", repairs_help = "repairs to fit, separated by commas:";
    for (const Criterion* criterion : criteria()) criteria_help += "\n" + criterion->name + ": " + criterion->help;
    for (const RepairInfo& info : repair_kinds()) repairs_help += "\n" + info.name + ": " + info.help;
    command->add_option("--criterion", options->criterion, criteria_help)->capture_default_str();
    command->add_option("--repair", options->repairs, repairs_help)->capture_default_str();
    add_settings(*command, options->job.repair);
    command->add_option("--evaluate", options->evaluate, "text to measure perplexity on")->type_name("FILE");
    command->add_option("--evaluate-ids", options->evaluate_ids, "in place of that text: JSON array of arrays of token ids")
        ->type_name("FILE");
    command->add_option("--evaluate-windows", options->job.evaluation_windows, "windows of the evaluation text; 0: all")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command->add_option("--export", options->target, "write the pruned checkpoint to this folder")->type_name("DIR");
    command->add_option("--export-repair", options->export_repair, "the repair to export; default: the last one named")->type_name("NAME");
    add_settings(*command, options->job.export_);
    command->callback([options, command] { run(*options, *command); });
}

}  // namespace suture::cli
