// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "app/cli/cut.h"
#include "app/cli/rolling_options.h"
#include "app/cli/task_options.h"
#include "core/base/error.h"
#include "core/figures/rolling.h"
#include "core/repair/kind_forms.h"
#include "core/study/report_json.h"
#include "core/tasks/retained.h"

namespace suture::cli {
namespace {

struct Options : Common {
    CutOptions cut;
    TaskOptions tasks;
    RollingOptions rolling;
    std::string export_repair;
    std::filesystem::path evaluate_ids, evaluate, target;
    bool form = false;  ///< --form was given
};

/// The repair that will be exported, as far as the options tell.
std::string exported_kind(const Options& options) {
    if (!options.export_repair.empty()) return options.export_repair;
    const auto kinds = options.cut.kinds();
    const auto fitted = [](const std::string& kind) { return kind == "auto" || repair_kind(kind).fitted; };
    const auto last = options.cut.finetune ? std::find_if(kinds.rbegin(), kinds.rend(), fitted) : kinds.rbegin();
    return last == kinds.rend() ? kinds.back() : *last;
}

void check_form(const Options& options, const Study& study) {
    if (options.form && options.target.empty()) throw usage_error("prune: --form says how to write an export; give --export DIR too");
    const std::string kind = exported_kind(options), &name = options.job.export_.form;
    if (options.target.empty() || !options.cut.scales.empty() || kind == "auto" || name == "auto") return;
    const Form form = form_named(name, no_repair({}));
    if (const std::string refusal = form_refusal(*study, kind, form); !refusal.empty()) throw Error(refusal);
    const bool factors = kind == "scalar" || kind == "linearpatch";
    const std::string& train = options.job.distillation.train;
    const bool becomes_matrix = train == "matrix" || (train == "auto" && kind == "linearpatch");
    if (factors && form != Form::Patched && options.cut.finetune && becomes_matrix)
        throw usage_error("prune: " + kind + " trained as a matrix has no " + name + " form; take --ft-train scale or --form patched");
}

/// All that can be known to be wrong before the model is run.
void check_use(const Options& options, const Study& study) {
    options.cut.check("prune", study);
    const auto kinds = options.cut.kinds();
    if (!options.export_repair.empty() && std::find(kinds.begin(), kinds.end(), options.export_repair) == kinds.end())
        throw usage_error("prune: --export-repair " + options.export_repair + " is not among the repairs of --repair");
    if (!options.evaluate.empty() && !options.evaluate_ids.empty())
        throw usage_error("prune: give either --evaluate or --evaluate-ids, not both");
    for (const auto& file : {options.text.text, options.text.ids, options.evaluate, options.evaluate_ids, options.rolling.file})
        if (!file.empty() && !std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file");
    options.tasks.check_use();
    options.rolling.check_use();
    if (options.tasks.wanted()) options.tasks.read();
    check_form(options, study);
    warn_of_same_text(options, options.text, {options.evaluate, options.evaluate_ids});
    if (options.target.empty()) return;
    const std::string problem = export_problem(*study, options.target, options.job.export_);
    if (!problem.empty()) throw Error(problem);
}

/// The last of the kind to export, so that a fine-tuned repair goes before the one that was only fitted.
std::size_t exported(const Options& options, const Cut& cut) {
    const std::string kind = exported_kind(options);
    for (std::size_t i = cut.repaired.size(); i-- > 0;)
        if (cut.repaired[i].kind == kind) return i;
    return cut.repaired.size() - 1;
}

struct Outcome {
    nlohmann::json result;
    std::vector<Table> tables;
    nlohmann::json report;  ///< for the exported folder
};

/// What is measured, the dense model first.
struct Measured {
    std::vector<std::string> names;
    std::vector<Variant> variants;
    std::string exported;  ///< the one of them that is written; empty: none is
};

/// The dense model, every repair, and the exported form where it computes something else than the repair it stands for.
Measured measured_of(const Options& options, const Study& study, const Cut& cut) {
    Measured measured{{"dense"}, {Variant()}};
    const auto add = [&](const std::string& name, const Variant& variant) {
        measured.names.push_back(name);
        measured.variants.push_back(variant);
    };
    for (std::size_t i = 0; i < cut.repaired.size(); ++i) add(cut.names[i], cut.repaired[i].variant);
    if (options.target.empty()) return measured;
    const Repaired& chosen = cut.repaired[exported(options, cut)];
    const Form form = form_named(options.job.export_.form, chosen);
    const Variant written = in_form(*study, chosen, form).variant;
    measured.exported = cut.names[exported(options, cut)];
    if (written.to_json() == chosen.variant.to_json()) return measured;
    measured.exported += "_" + form_name(form);
    add(measured.exported, written);
    return measured;
}

void add_perplexities(const Options& options, const Study& study, const Cut& cut, const Measured& measured, Outcome& out,
                      Progress& progress) {
    const Windows windows = study.evaluation_windows({options.evaluate, options.evaluate_ids}, options.job);
    for (const auto& warning : windows.warnings) options.say("note: " + warning);
    warn_of_length(options, study, "a window of the evaluation text has", longest_window(windows));
    const auto evaluations = study.evaluate(measured.variants, windows, options.job, 0, progress);
    Table table{.title = "Perplexity",
                .columns = {{"variant"},
                            {"perplexity", 4},
                            {"95 % low", 4},
                            {"95 % high", 4},
                            {"times dense", 4},
                            {"95 % low of the ratio", 4},
                            {"95 % high of the ratio", 4},
                            {"relative error, worst seam", 4}}};
    out.result["dense"] = evaluations[0]->to_json();
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const Evaluation& e = *evaluations[i];
        if (i > 0) out.result["variants"][measured.names[i]].update(e.to_json());
        const auto interval = e.interval();
        std::optional<Interval> ratio;
        if (i > 0) ratio = e.ratio_interval(*evaluations[0]);
        const double times = e.perplexity() / evaluations[0]->perplexity();
        if (i > 0) out.result["variants"][measured.names[i]]["ratio_to_dense"] = times;
        if (ratio) out.result["variants"][measured.names[i]]["ratio_interval"] = {ratio->low, ratio->high};
        const double error = i > 0 && i <= cut.repaired.size() ? cut.repaired[i - 1].worst_error() : std::nan("");
        table.rows.push_back({measured.names[i], e.perplexity(), interval ? Cell(interval->low) : Cell(),
                              interval ? Cell(interval->high) : Cell(), times, ratio ? Cell(ratio->low) : Cell(),
                              ratio ? Cell(ratio->high) : Cell(), std::isnan(error) ? Cell() : Cell(error)});
        nlohmann::json row{{"name", measured.names[i]}, {"perplexity", e.perplexity()}};
        if (interval) row.update({{"low", interval->low}, {"high", interval->high}});
        out.report["results"].push_back(row);
    }
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const auto place = std::find(measured.names.begin(), measured.names.end(), finetuned_name(measured.names[i]));
        const auto tuned = std::size_t(place - measured.names.begin());
        if (tuned < evaluations.size() && evaluations[tuned]->perplexity() > evaluations[i]->perplexity())
            options.say("note: " + *place + " does worse here than " + measured.names[i] +
                        ", which is fitted on the validation windows too; more text or longer training may help");
    }
    out.report["conditions"] = evaluations[0]->conditions;
    out.report["conditions"].erase("variant");
    out.tables.push_back(std::move(table));
}

void add_tasks(const Options& options, const Study& study, const Measured& measured, Outcome& out, Progress& progress) {
    const auto results = run_tasks(options.tasks, options, study, measured.names, measured.variants, progress);
    out.result["tasks"]["dense"] = tasks_json(results[0]);
    for (std::size_t v = 1; v < results.size(); ++v) out.result["variants"][measured.names[v]]["tasks"] = tasks_json(results[v]);
    out.tables.push_back(task_table(measured.names, results));
    out.tables.push_back(score_table(measured.names, results));
}

void add_rolling(const Options& options, const Study& study, const Measured& measured, Outcome& out, Progress& progress) {
    const auto results = run_rolling(options.rolling, options, study, measured.variants, progress);
    out.result["rolling"]["dense"] = results[0].to_json();
    for (std::size_t v = 1; v < results.size(); ++v) {
        nlohmann::json& own = out.result["variants"][measured.names[v]]["rolling"] = results[v].to_json();
        own["ratio_to_dense"] = results[v].word_perplexity() / results[0].word_perplexity();
        if (const auto ratio = results[v].ratio_interval(results[0])) own["ratio_interval"] = {ratio->low, ratio->high};
    }
    out.tables.push_back(rolling_table("Word and byte perplexity", measured.names, results));
}

void measure(const Options& options, const Study& study, const Cut& cut, Outcome& out, Progress& progress) {
    const bool text = !options.evaluate.empty() || !options.evaluate_ids.empty();
    if (!text && !options.tasks.wanted() && !options.rolling.wanted()) return;
    const Measured measured = measured_of(options, study, cut);
    out.report["exported"] = measured.exported;
    if (text) add_perplexities(options, study, cut, measured, out, progress);
    if (options.tasks.wanted()) add_tasks(options, study, measured, out, progress);
    if (options.rolling.wanted()) add_rolling(options, study, measured, out, progress);
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
    if (options.cut.remove > 0) out.result.update({{"criterion", options.cut.criterion}, {"choice", cut.choice}});
    if (cut.statistics) out.result["calibration"] = cut.statistics->conditions;
    else if (!cut.calibration.ids.empty()) out.result["calibration"] = cut.calibration.conditions();
    if (cut.statistics && int(cut.removed.size()) <= layers - 2)
        out.result["selection"] = selection_to_json(*cut.statistics, cut.removed.size());
    if (cut.recommendation) {
        out.result["recommendation"] = cut.recommendation->to_json();
        out.tables.push_back(cut.recommendation->table());
    }
    for (std::size_t i = 0; i < cut.repaired.size(); ++i) out.result["variants"][cut.names[i]] = cut.repaired[i].to_json();
    out.report = {{"chosen", cut.chosen}, {"settings", options.job.to_json()}, {"results", nlohmann::json::array()}};
    if (options.cut.remove > 0) out.report["choice"] = cut.choice;
    if (out.result.contains("calibration")) out.report["calibration"] = out.result["calibration"];
    measure(options, study, cut, out, progress);
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
        ->check(finite_number);
    options->tasks.add_to(*command, "--evaluate-tasks");
    options->rolling.add_to(*command, "--evaluate-rolling");
    command->add_option("--export", options->target, "write the pruned checkpoint to this folder")->type_name("DIR");
    command->add_option("--export-repair", options->export_repair, "the repair to export; default: the last one named")->type_name("NAME");
    add_settings(*command, options->job.export_);
    command->callback([options, command] {
        options->form = command->count("--form") > 0;
        run(*options);
    });
}

}  // namespace suture::cli
