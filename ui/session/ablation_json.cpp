// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/ablation_json.h"

namespace suture {
namespace {

nlohmann::json text_entry(const TextSource& source) {
    const bool ids = !source.ids.empty();
    const auto& file = ids ? source.ids : source.text;
    return {{"name", text_name(file)}, {ids ? "ids" : "text", file.string()}};
}

/// Half as many layers, as many as the criteria are asked for, and half as many again.
std::vector<int> proposed_removals(int n, int layers) {
    std::vector<int> counts;
    for (const int count : {n / 2, n, n + n / 2})
        if (count >= 1 && count <= layers - 2 && (counts.empty() || count > counts.back())) counts.push_back(count);
    return counts;
}

}  // namespace

std::string text_name(const std::filesystem::path& file) {
    const std::string stem = file.stem().string();
    return stem == "calibration" || stem == "evaluation" ? file.parent_path().filename().string() : stem;
}

nlohmann::json ablation_json(const Document& d, int layers) {
    nlohmann::json spec = d.measures.ablation.spec;
    const auto propose = [&](const char* member, const nlohmann::json& value) {
        if (!spec.contains(member)) spec[member] = value;
    };
    if (!d.model.empty()) propose("models", nlohmann::json::array({d.model.string()}));
    if (!d.calibration.empty()) propose("calibration", nlohmann::json::array({text_entry(d.calibration)}));
    if (!d.evaluation.empty()) propose("evaluation", nlohmann::json::array({text_entry(d.evaluation)}));
    if (!spec.contains("layers")) propose("remove", proposed_removals(d.block_length, layers));
    propose("criteria", nlohmann::json::array({d.criterion}));
    propose("repairs", std::vector<std::string>{"none", "channel", "linearpatch", "ridge", "fold"});  // the paper's, and what came later
    propose("settings", d.settings.to_json());
    return spec;
}

void change_ablation(Session& session, const QString& step, const std::function<void(nlohmann::json&)>& edit) {
    Document after = session.document();
    const nlohmann::json before = ablation_json(after, session.layers());
    nlohmann::json spec = before;
    edit(spec);
    nlohmann::json& own = after.measures.ablation.spec;
    for (const auto& [member, value] : spec.items())
        if (before.value(member, nlohmann::json::array()) != value) own[member] = value;
    for (const auto& [member, value] : before.items())
        if (!spec.contains(member)) own.erase(member);
    session.change(std::move(after), step, step);
}

AblationSpec ablation_spec(const Document& document, int layers) {
    return AblationSpec::from_json(ablation_json(document, layers), "ablation");
}

}  // namespace suture
