// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/table.h"
#include "core/export/export.h"
#include "core/model/merges.h"

namespace suture {
namespace {

std::string fixed(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

std::string seams_in_words(const Repaired& repaired) {
    std::string text;
    for (const Patch& patch : repaired.patches)
        text += "- " + patch.seam.words() + ": " + patch.kind + (patch.hadamard.empty() ? "" : ", H = " + patch.hadamard) + "\n";
    return text;
}

/// A merge has no patches: kept layers took up the layers behind them.
std::string merges_in_words(const Variant& variant, const nlohmann::json& report) {
    std::string text;
    for (const auto& [layer, taken] : merges_of(variant))
        text += "- layer " + std::to_string(layer) + " took up " + (taken.size() == 1 ? "layer " : "layers ") + taken.words() + "\n";
    const nlohmann::json choice = report.value("choice", nlohmann::json::object());
    if (choice.is_object() && choice.contains("parameters")) text += "\nSettings of the merge: `" + choice["parameters"].dump() + "`\n";
    if (report.contains("calibration")) text += "\nText it was judged on: `" + report["calibration"].dump() + "`\n";
    return text;
}

std::string repair_in_words(const Repaired& repaired, const nlohmann::json& report) {
    if (!repaired.patches.empty())
        return "Where they were, the residual stream is repaired:\n\n" + seams_in_words(repaired) + "\n" +
               (fine_tuned(repaired.settings) ? "The repair was then fine-tuned: the dense model taught it on the calibration text.\n\n"
                                              : "");
    if (!repaired.variant.edits().empty())
        return "Their weights were merged into layers that are kept (LaCo); this is a stock checkpoint:\n\n" +
               merges_in_words(repaired.variant, report) + "\n";
    return "Nothing was put in their place; this is a stock checkpoint.\n\n";
}

/// Whatever `report["results"]` holds: [{name, perplexity, low, high}]. `report["exported"]` names the one that the folder holds.
std::string results_table(const nlohmann::json& report) {
    if (!report.contains("results") || report["results"].empty()) return "Nothing was measured before the export.\n";
    Table table{.columns = {{"variant"}, {"perplexity"}, {"95 % interval"}}};
    for (const auto& row : report["results"]) {
        Cell interval;
        if (row.contains("low")) interval = fixed(row["low"].get<double>()) + " – " + fixed(row["high"].get<double>());
        const auto name = row["name"].get<std::string>();
        const bool here = name == report.value("exported", std::string());
        table.rows.push_back({here ? name + " (this folder)" : name, row["perplexity"].get<double>(), interval});
    }
    return table.to_markdown();
}

}  // namespace

std::string model_card(const Model& model, const Repaired& repaired, const nlohmann::json& report, const ExportPlan& plan) {
    const int layers = model.architecture().layers, gone = repaired.variant.removed().size();
    std::string card = "# " + model.name() + " without " + std::to_string(gone) + " of " + std::to_string(layers) + " layers\n\n";
    card += "Made with Suture from " + model.name() + " (" + model.architecture().model_type + "). Removed: decoder " +
            (gone == 1 ? "layer " : "layers ") + repaired.variant.removed().words() + ", counted from 0.\n\n";
    card += "Chosen by: " + report.value("chosen", std::string("hand")) + ".\n\n";
    card += repair_in_words(repaired, report);
    card += "## Loading\n\n```python\n" + plan.load_snippet + "```\n\n";
    if (plan.custom_code)
        card +=
            "`trust_remote_code=True` runs modeling_suture.py from this folder: it applies the patch and needs torch and transformers "
            "only.\n\n";
    for (const auto& warning : plan.warnings) card += "Note: " + warning + ".\n\n";
    card += "## Measured\n\n" + results_table(report) + "\n";
    if (report.contains("conditions")) card += "Conditions: `" + report["conditions"].dump() + "`\n\n";
    card += "The full recipe is in suture.json.\n";
    return card;
}

}  // namespace suture
