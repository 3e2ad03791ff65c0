// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "app/cli/cut.h"
#include "app/cli/task_options.h"
#include "core/base/error.h"
#include "core/study/report_json.h"
#include "core/tasks/retained.h"

namespace suture::cli {
namespace {

struct Options : Common {
    CutOptions cut;
    TaskOptions tasks;
    std::string export_repair;
    std::filesystem::path evaluate_ids, evaluate, target;
};

/// All that can be known to be wrong before the model is run.
void check_use(const Options& options, const Study& study) {
    options.cut.check("prune", study);
    const auto kinds = options.cut.kinds();
    if (!options.export_repair.empty() && std::find(kinds.begin(), kinds.end(), options.export_repair) == kinds.end())
        throw usage_error("prune: --export-repair " + options.export_repair + " is not among the repairs of --repair");
    if (!options.evaluate.empty() && !options.evaluate_ids.empty())
        throw usage_error("prune: give either --evaluate or --evaluate-ids, not both");
    for (const auto& file : {options.text.text, options.text.ids, options.evaluate, options.evaluate_ids})
        if (!file.empty() && !std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file");
    if (options.tasks.wanted()) options.tasks.read();
    if (options.target.empty()) return;
    const std::string problem = export_problem(*study, options.target, options.job.export_);
    if (!problem.empty()) throw Error(problem);
}

/// The last of the kind named, so that a fine-tuned repair goes before the fit it began from.
std::size_t exported(const Options& options, const Cut& cut) {
    for (std::size_t i = cut.repaired.size(); i-- > 0;)
        if (cut.repaired[i].kind == options.export_repair) return i;
    return cut.repaired.size() - 1;
}

struct Outcome {
    nlohmann::json result;
    std::vector<Table> tables;
    nlohmann::json report;  ///< for the exported folder
};

/// The dense model, every repair, and the exported form where it computes something else than the repair it stands for.
std::vector<std::pair<std::string, Variant>> variants_of(const Options& options, const Study& study, const Cut& cut) {
    std::vector<std::pair<std::string, Variant>> variants{{"dense", Variant()}};
    for (std::size_t i = 0; i < cut.repaired.size(); ++i) variants.emplace_back(cut.names[i], cut.repaired[i].variant);
    if (options.target.empty()) return variants;
    const Repaired& chosen = cut.repaired[exported(options, cut)];
    const Form form = form_named(options.job.export_.form, chosen);
    Variant written = in_form(*study, chosen, form).variant;
    if (written.to_json() != chosen.variant.to_json())
        variants.emplace_back(cut.names[exported(options, cut)] + "_" + form_name(form), written);
    return variants;
}

void add_perplexities(const Options& options, const Study& study, const Cut& cut, Outcome& out, Progress& progress) {
    const TextSource source{options.evaluate, options.evaluate_ids};
    if (source.empty()) return;
    const Windows windows = study.evaluation_windows(source, options.job);
    for (const auto& warning : windows.warnings) options.say("note: " + warning);
    const auto named = variants_of(options, study, cut);
    std::vector<Variant> variants;
    for (const auto& [name, variant] : named) variants.push_back(variant);
    const auto evaluations = study.evaluate(variants, windows, options.job, 0, progress);
    Table table{
        .title = "Perplexity",
        .columns = {
            {"variant"}, {"perplexity", 4}, {"95 % low", 4}, {"95 % high", 4}, {"times dense", 4}, {"relative error, worst seam", 4}}};
    out.result["dense"] = evaluations[0]->to_json();
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const Evaluation& e = *evaluations[i];
        if (i > 0) out.result["variants"][named[i].first].update(e.to_json());
        const auto interval = e.interval();
        const double error = i > 0 && i <= cut.repaired.size() ? cut.repaired[i - 1].worst_error() : std::nan("");
        table.rows.push_back({named[i].first, e.perplexity(), interval ? Cell(interval->low) : Cell(),
                              interval ? Cell(interval->high) : Cell(), e.perplexity() / evaluations[0]->perplexity(),
                              std::isnan(error) ? Cell() : Cell(error)});
        nlohmann::json row{{"name", named[i].first}, {"perplexity", e.perplexity()}};
        if (interval) row.update({{"low", interval->low}, {"high", interval->high}});
        out.report["results"].push_back(row);
    }
    out.report["conditions"] = evaluations[0]->conditions;
    out.report["conditions"].erase("variant");
    out.tables.push_back(std::move(table));
}

void add_tasks(const Options& options, const Study& study, const Cut& cut, Outcome& out, Progress& progress) {
    if (!options.tasks.wanted()) return;
    std::vector<std::string> names;
    std::vector<Variant> variants;
    for (const auto& [name, variant] : variants_of(options, study, cut)) {
        names.push_back(name);
        variants.push_back(variant);
    }
    const auto results = run_tasks(options.tasks, options, study, variants, progress);
    out.result["tasks"]["dense"] = tasks_json(results[0]);
    for (std::size_t v = 1; v < results.size(); ++v) out.result["variants"][names[v]]["tasks"] = tasks_json(results[v]);
    out.tables.push_back(task_table(names, results));
}

void write_export(const Options& options, const Study& study, const Cut& cut, Outcome& out, Progress& progress) {
    if (options.target.empty()) return;
    const Windows* check = cut.calibration.ids.empty() ? nullptr : &cut.calibration;
    const ExportResult written =
        study.export_to(options.target, cut.repaired[exported(options, cut)], out.report, check, options.job, progress);
    out.result["export"] = written.to_json();
    options.say(options.target.string() + ": written; largest logit difference after reading it back " +
                std::to_string(written.largest_logit_difference));
    if (!written.equal())
        throw Error(options.target.string() + ": the exported model's logits differ from the model in memory by " +
                        std::to_string(written.largest_logit_difference),
                    Error::Kind::Internal);
}

void run(const Options& options) {
    const Study study = options.open();
    check_use(options, study);
    Progress progress = make_progress(options);
    const Cut cut = make_cut(options.cut, options, study, progress);
    options.say("removes " + cut.chosen);
    const int layers = study.model()->architecture().layers;
    Outcome out{.result = cut_to_json(cut.removed, layers)};
    out.result["chosen"] = cut.chosen;
    out.result["settings"] = options.job.to_json();
    if (options.cut.remove > 0) out.result["criterion"] = options.cut.criterion;
    if (cut.statistics) out.result["calibration"] = cut.statistics->conditions;
    if (cut.statistics && int(cut.removed.size()) <= layers - 2)
        out.result["selection"] = selection_to_json(*cut.statistics, cut.removed.size());
    if (cut.recommendation) {
        out.result["recommendation"] = cut.recommendation->to_json();
        out.tables.push_back(cut.recommendation->table());
    }
    for (std::size_t i = 0; i < cut.repaired.size(); ++i) out.result["variants"][cut.names[i]] = cut.repaired[i].to_json();
    out.report = {{"chosen", cut.chosen}, {"settings", options.job.to_json()}, {"results", nlohmann::json::array()}};
    if (cut.statistics) out.report["calibration"] = cut.statistics->conditions;
    add_perplexities(options, study, cut, out, progress);
    add_tasks(options, study, cut, out, progress);
    write_export(options, study, cut, out, progress);
    options.write(out.result, out.tables);
}

}  // namespace

void add_prune(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("prune", "Remove layers, repair the seams, measure and export");
    options->add_to(*command, true);
    options->cut.add_to(*command, options->job);
    command->add_option("--evaluate", options->evaluate, "text to measure perplexity on")->type_name("FILE");
    command->add_option("--evaluate-ids", options->evaluate_ids, "in place of that text: JSON array of arrays of token ids")
        ->type_name("FILE");
    command->add_option("--evaluate-windows", options->job.evaluation_windows, "windows of the evaluation text; 0: all")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    options->tasks.add_to(*command, "--evaluate-tasks");
    command->add_option("--export", options->target, "write the pruned checkpoint to this folder")->type_name("DIR");
    command->add_option("--export-repair", options->export_repair, "the repair to export; default: the last one named")->type_name("NAME");
    add_settings(*command, options->job.export_);
    command->callback([options] { run(*options); });
}

}  // namespace suture::cli
