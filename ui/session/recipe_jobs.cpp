// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/recipe_jobs.h"

#include <algorithm>

#include "core/figures/patch.h"
#include "core/figures/words.h"
#include "core/study/report_json.h"

namespace suture {
namespace {

nlohmann::json result_of(const EvaluationRow& row) {
    nlohmann::json json{{"name", row.kind}, {"label", row.label}, {"perplexity", row.evaluation->perplexity()}};
    if (const auto interval = row.evaluation->interval()) json.update({{"low", interval->low}, {"high", interval->high}});
    return json;
}

nlohmann::json start_report(const JobInputs& inputs, const Statistics* statistics) {
    nlohmann::json report{
        {"chosen", inputs.chosen}, {"settings", inputs.document.settings.to_json()}, {"results", nlohmann::json::array()}};
    if (statistics) report["calibration"] = statistics->conditions;
    return report;
}

bool any_fitted(const std::vector<std::string>& kinds) {
    return std::any_of(kinds.begin(), kinds.end(), [](const auto& kind) { return repair_kind(kind).fitted; });
}

}  // namespace

std::shared_ptr<const Forecast> make_forecast(const JobInputs& inputs, double speed) {
    const auto windows = inputs.windows->calibration(*inputs.study, inputs.document.calibration, inputs.document.settings);
    auto forecast = std::make_shared<Forecast>();
    forecast->windows = std::int64_t(windows->ids.size());
    forecast->tokens = windows->tokens();
    forecast->remarks = windows->warnings;
    forecast->memory = estimate_calibration(**inputs.study, *windows, inputs.document.settings.compute);
    forecast->seconds = calibration_operations(**inputs.study, forecast->tokens) / speed;
    forecast->stored = inputs.study->stored_statistics(*windows, inputs.document.settings);
    return forecast;
}

std::shared_ptr<const Statistics> make_statistics(const JobInputs& inputs, Progress& progress) {
    progress.begin("Reading the text", 0, "tokens");
    const auto windows = inputs.windows->calibration(*inputs.study, inputs.document.calibration, inputs.document.settings);
    return inputs.study->calibrate(*windows, inputs.document.settings, progress);
}

Key fitted_repair_key(const JobInputs& inputs, const std::string& kind) {
    return Key::of({{"statistics", inputs.statistics_key.hex()},
                    {"removed", inputs.document.removed.layers()},
                    {"kind", kind},
                    {"settings", settings_to_json(inputs.document.settings.repair)}});
}

std::shared_ptr<const Repaired> make_repaired(const JobInputs& inputs, const std::string& kind, Progress& progress) {
    const Document& d = inputs.document;
    if (inputs.repaired && inputs.repaired->kind == kind) return inputs.repaired;
    if (!repair_kind(kind).fitted) return std::make_shared<const Repaired>(no_repair(d.removed));
    const Key key = fitted_repair_key(inputs, kind);
    if (auto known = inputs.fitted->find(key)) return known;
    const auto statistics = inputs.statistics ? inputs.statistics : make_statistics(inputs, progress);
    const auto windows = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    auto made = std::make_shared<const Repaired>(inputs.study->repair(*statistics, *windows, d.removed, kind, d.settings, progress));
    inputs.fitted->put(key, made);
    return made;
}

std::shared_ptr<const Repaired> repair_in_force(const JobInputs& inputs, Progress& progress) {
    if (inputs.finetuned) return inputs.finetuned;
    return inputs.imported ? inputs.imported : make_repaired(inputs, inputs.document.repair, progress);
}

MadeVariants make_variants(const JobInputs& given, Progress& progress) {
    JobInputs inputs = given;
    const Document& d = inputs.document;
    MadeVariants made{
        {{"dense", row_label("dense", d.settings.repair), Role::Dense}}, std::vector<Variant>(1), {nullptr}, inputs.statistics};
    if (d.removed.empty()) return made;
    if (!inputs.statistics && any_fitted(d.repairs)) made.statistics = inputs.statistics = make_statistics(inputs, progress);
    const auto add = [&made](std::shared_ptr<const Repaired> repaired, const std::string& kind, const std::string& label) {
        made.variants.push_back(repaired->variant);
        made.repaired.push_back(std::move(repaired));
        made.labels.push_back({kind, label, kind == "none" ? Role::Unpatched : Role::Patched});
    };
    for (const auto& kind : d.repairs)
        if (repair_refusal(kind, **inputs.study, d.removed).empty())
            add(make_repaired(inputs, kind, progress), kind, row_label(kind, d.settings.repair));
    if (inputs.imported) add(inputs.imported, extra_kind(*inputs.imported), repair_words(inputs.imported->kind, inputs.imported->settings));
    if (inputs.finetuned) {
        const Repaired& tuned = *inputs.finetuned;
        add(inputs.finetuned, finetuned_name(inputs.imported ? extra_kind(*inputs.imported) : tuned.kind),
            repair_words(tuned.kind, tuned.settings));
    }
    return made;
}

std::shared_ptr<const EvaluationSet> make_evaluation(const JobInputs& inputs, const Key& text_key, Progress& progress) {
    const Document& d = inputs.document;
    const MadeVariants made = make_variants(inputs, progress);
    auto set = std::make_shared<EvaluationSet>();
    set->removed = d.removed;
    set->text_key = text_key;
    set->repaired = made.repaired;
    for (std::size_t v = 0; v < made.labels.size(); ++v) {
        const VariantLabel& label = made.labels[v];
        set->rows.push_back({.kind = label.kind, .label = label.label, .role = label.role});
        if (made.repaired[v]) set->rows.back().error_median = made.repaired[v]->worst_error();
    }
    progress.begin("Reading the text", 0, "tokens");
    const auto windows = inputs.windows->evaluation(*inputs.study, d.evaluation, d.settings);
    const auto evaluations = inputs.study->evaluate(made.variants, *windows, d.settings, 0, progress);
    set->report = start_report(inputs, made.statistics.get());
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        set->rows[i].evaluation = evaluations[i];
        set->report["results"].push_back(result_of(set->rows[i]));
    }
    set->report["conditions"] = evaluations[0]->conditions;
    set->report["conditions"].erase("variant");
    return set;
}

std::shared_ptr<const ExportResult> make_export(const JobInputs& inputs, const nlohmann::json& report, Progress& progress) {
    const Document& d = inputs.document;
    const auto repaired = repair_in_force(inputs, progress);
    std::shared_ptr<const Windows> check;
    if (!d.calibration.empty() && (inputs.study->tokenizer() || !d.calibration.ids.empty()))
        check = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    nlohmann::json told = report.is_null() ? start_report(inputs, inputs.statistics.get()) : report;
    told["exported"] = inputs.imported || inputs.finetuned ? repair_words(repaired->kind, repaired->settings)
                                                           : row_label(repaired->kind, d.settings.repair);
    progress.begin("Exporting", 0, "files");
    return std::make_shared<const ExportResult>(
        inputs.study->export_to(d.export_folder, *repaired, told, check.get(), d.settings, progress));
}

std::shared_ptr<const Recommendation> make_recommendation(const JobInputs& inputs, const TrialSettings& trials, Progress& progress) {
    const Document& d = inputs.document;
    const auto windows = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    return std::make_shared<const Recommendation>(inputs.study->recommend(*windows, d.removed, trials, d.settings, progress));
}

std::shared_ptr<const FineTuningCost> make_finetuning_cost(const JobInputs& inputs, const Repaired& start) {
    const Document& d = inputs.document;
    const auto windows = inputs.windows->calibration(*inputs.study, d.calibration, d.settings);
    const auto& settings = d.settings.distillation;
    const auto cost = distil_cost(**inputs.study, start, *windows, settings);
    std::string problem = training_problem(**inputs.study, start, *windows, settings, d.settings.compute);
    if (!problem.empty()) problem += ".";
    else if (cost.parameters == 0)
        problem = "\"" + settings.train + "\" names nothing that " + repair_kind(start.kind).label + " has; train \"auto\".";
    return std::make_shared<const FineTuningCost>(FineTuningCost{cost, problem});
}

std::string row_label(const std::string& kind, const RepairSettings& settings) {
    if (kind == "dense") return "Dense";
    if (kind == "none") return "No repair";
    const RepairInfo info = repair_kind(kind);
    return info.definition && settings.definition != RepairSettings().definition ? info.label + " (" + settings.definition + ")"
                                                                                 : info.label;
}

}  // namespace suture
