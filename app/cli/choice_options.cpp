// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/choice_options.h"

#include "core/selection/check.h"

namespace suture::cli {
namespace {

double times_median(const MassiveActivation& massive) { return massive.token.norm / massive.token.median; }

}  // namespace

void ChoiceOptions::add_to(CLI::App& app) {
    app.add_option("--protect", protect, "layers that stay, e.g. 3,7-9; laco does not change them either")->type_name("LIST");
    app.add_option("--keep-ends", keep_ends, "so many layers at each end stay")->capture_default_str()->check(CLI::NonNegativeNumber);
    app.add_flag("--keep-massive", keep_massive, "the layer that creates the massive activation stays");
    add_settings(app, settings);
}

Protection ChoiceOptions::protection(const Model& model) const {
    Protection protection{.ends = keep_ends, .massive_activation = keep_massive};
    if (!protect.empty()) protection.layers = LayerSet::parse(protect, model.architecture().layers);
    return protection;
}

void ChoiceOptions::check(const Study& study, const CalibrationSettings& calibration, const std::string& criterion, int n,
                          const std::string& repair) const {
    const SelectionInput input{.model = study.model(), .repair = repair, .protection = protection(*study.model()), .settings = settings};
    check_ranking(input, criterion, n);
    if (calibration.sample == 0 && (criterion == "update-norm" || criterion == "patched"))
        throw usage_error("criterion " + criterion + " reads sampled states; give --sample above 0");
}

nlohmann::json massive_json(const Statistics& statistics) {
    const auto massive = massive_activation(statistics);
    if (!massive) return nullptr;
    return {{"layer", massive->layer}, {"words", massive->words()}, {"times_median", times_median(*massive)}};
}

std::string massive_words(const Statistics& statistics) {
    const auto massive = massive_activation(statistics);
    if (!massive) return "--keep-massive: no token is extreme on this text, so no layer is protected for it";
    char text[64];
    std::snprintf(text, sizeof text, ", at most %.0f times the median", times_median(*massive));
    return "protected: " + massive->words() + text;
}

std::string threshold_words(const Ranking& merged) {
    char text[160];
    std::snprintf(text, sizeof text, "laco: merges were accepted above a cosine of %.2f; %.2f was asked for",
                  merged.parameters.value("threshold_used", 0.0), merged.parameters.value("threshold", 0.0));
    return text;
}

}  // namespace suture::cli
