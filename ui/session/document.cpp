// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/document.h"

#include <algorithm>

namespace suture {
namespace {

nlohmann::json to_json_text(const TextSource& source) { return {{"text", source.text.string()}, {"ids", source.ids.string()}}; }

TextSource text_from(const nlohmann::json& json, const char* member) {
    const auto part = json.value(member, nlohmann::json::object());
    return {part.value("text", std::string()), part.value("ids", std::string())};
}

}  // namespace

std::optional<Seam> Document::shown_seam() const {
    const auto seams = seams_of(removed);
    if (seams.empty()) return std::nullopt;
    return seams[std::size_t(std::clamp(seam, 0, int(seams.size()) - 1))];
}

nlohmann::json Document::to_json() const {
    return {{"model", model.string()},
            {"calibration", to_json_text(calibration)},
            {"evaluation", to_json_text(evaluation)},
            {"settings", settings.to_json()},
            {"removed", removed.layers()},
            {"criterion", criterion},
            {"block_length", block_length},
            {"repairs", repairs},
            {"repair", repair},
            {"scales", scales.string()},
            {"merge", merge},
            {"finetuned", finetuned},
            {"selection", selection.to_json()},
            {"measures", measures.to_json()},
            {"export_folder", export_folder.string()},
            {"seam", seam}};
}

Document Document::from_json(const nlohmann::json& json) {
    Document d;
    d.model = json.value("model", std::string());
    d.calibration = text_from(json, "calibration");
    d.evaluation = text_from(json, "evaluation");
    d.settings = JobSettings::from_json(json.value("settings", nlohmann::json::object()));
    d.removed = LayerSet(json.value("removed", std::vector<int>()));
    d.criterion = json.value("criterion", d.criterion);
    d.block_length = json.value("block_length", d.block_length);
    d.repairs = json.value("repairs", d.repairs);
    d.repair = json.value("repair", d.repair);
    d.scales = json.value("scales", std::string());
    d.merge = json.value("merge", std::string());
    d.finetuned = json.value("finetuned", d.finetuned);
    d.selection = SelectionChoice::from_json(json.value("selection", nlohmann::json::object()));
    d.measures = Measures::from_json(json.value("measures", nlohmann::json::object()));
    d.export_folder = json.value("export_folder", std::string());
    d.seam = json.value("seam", d.seam);
    return d;
}

bool Document::operator==(const Document& other) const { return to_json() == other.to_json(); }

}  // namespace suture
