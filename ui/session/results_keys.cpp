// SPDX-License-Identifier: GPL-3.0-or-later
// What each shared result depends on, and what stands in the way of starting it.
#include "ui/session/results.h"

namespace suture {

Key Results::statistics_key() const {
    const Document& d = session_.document();
    return Key::of({{"result", "statistics"},
                    {"model", session_.study()->model()->fingerprint()},
                    {"text", text_stamp(d.calibration)},
                    {"windows", settings_to_json(d.settings.windows)},
                    {"calibration", settings_to_json(d.settings.calibration)},
                    {"dtype", d.settings.compute.dtype}});
}

Key Results::scales_key(const std::filesystem::path& file) const {
    return Key::of({{"result", "scales"}, {"model", session_.study()->model()->fingerprint()}, {"file", text_stamp({file, {}})}});
}

Key Results::repaired_key() const {
    if (const auto tuned = finetuned())
        return Key::of({{"result", "repaired"}, {"start", untrained_key().hex()}, {"finetuned", tuned->settings["finetuned"]}});
    return untrained_key();
}

void Results::add_extra(nlohmann::json& inputs) const {
    if (imported() || finetuned()) inputs["in_force"] = repaired_key().hex();
}

Key Results::untrained_key() const {
    const Document& d = session_.document();
    if (const auto made = imported())
        return made->settings.contains("merged") ? Key::of({{"result", "merged"}, {"merge", d.merge}}) : scales_key(d.scales);
    return Key::of({{"result", "repaired"},
                    {"statistics", statistics_key().hex()},
                    {"removed", d.removed.layers()},
                    {"kind", d.repair},
                    {"settings", settings_to_json(d.settings.repair)}});
}

Key Results::finetuning_key() const { return Key::of({{"start", untrained_key().hex()}, {"text", statistics_key().hex()}}); }

Key Results::dense_key() const {
    return Key::of({{"model", session_.study() ? session_.study()->model()->fingerprint() : std::string()},
                    {"dtype", session_.document().settings.compute.dtype}});
}

Key Results::variants_key() const {
    const Document& d = session_.document();
    if (!session_.study() || d.removed.empty()) return dense_key();  // nothing is repaired
    nlohmann::json inputs{{"statistics", statistics_key().hex()},
                          {"removed", d.removed.layers()},
                          {"kinds", d.repairs},
                          {"settings", settings_to_json(d.settings.repair)}};
    add_extra(inputs);
    return Key::of(inputs);
}

Key Results::evaluation_text_key() const {
    const Document& d = session_.document();
    return Key::of({{"model", session_.study() ? session_.study()->model()->fingerprint() : std::string()},
                    {"text", text_stamp(d.evaluation)},
                    {"settings", settings_to_json(d.settings.windows)},
                    {"windows", d.settings.evaluation_windows},
                    {"dtype", d.settings.compute.dtype}});
}

Key Results::evaluation_key() const {
    const Document& d = session_.document();
    nlohmann::json inputs{{"result", "evaluation"},
                          {"statistics", statistics_key().hex()},
                          {"text", evaluation_text_key().hex()},
                          {"removed", d.removed.layers()},
                          {"kinds", d.repairs},
                          {"settings", settings_to_json(d.settings.repair)}};
    add_extra(inputs);
    return Key::of(inputs);
}

Key Results::export_key() const {
    const Document& d = session_.document();
    return Key::of({{"result", "export"},
                    {"repaired", repaired_key().hex()},
                    {"folder", d.export_folder.string()},
                    {"settings", settings_to_json(d.settings.export_)}});
}

QString Results::why_not_calibrate() const {
    if (!session_.study()) return tr("Open a model first.");
    if (session_.document().calibration.empty()) return tr("Choose a calibration text first (File menu).");
    if (statistics.running()) return tr("The calibration is running.");
    if (forecast.state() == LiveBase::State::Failed) return forecast.message();
    return {};
}

QString Results::why_not_evaluate() const {
    if (!session_.study()) return tr("Open a model first.");
    if (session_.document().evaluation.empty()) return tr("Choose an evaluation text first (File menu).");
    if (evaluation.running()) return tr("The evaluation is running.");
    return {};
}

QString Results::why_not_export() const {
    if (!session_.study()) return tr("Open a model first.");
    if (session_.document().removed.empty()) return tr("Choose the layers to remove first.");
    if (session_.document().export_folder.empty()) return tr("Choose a folder to write to first.");
    if (exported.running()) return tr("The export is running.");
    return {};
}

}  // namespace suture
