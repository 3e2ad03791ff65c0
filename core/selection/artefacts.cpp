// SPDX-License-Identifier: GPL-3.0-or-later
// Rankings and searches as data, and the keys that name them.

#include "core/selection/criterion.h"
#include "core/selection/search.h"

namespace suture {
namespace {

/// What every answer rests on. The massive activation is of the statistics.
nlohmann::json base_of(const SelectionInput& input, bool statistics, bool windows, bool repair) {
    nlohmann::json json{{"model", input.model->fingerprint()}, {"protection", input.protection.to_json()}, {"dtype", input.compute.dtype}};
    if (input.statistics && (statistics || input.protection.massive_activation)) json["statistics"] = input.statistics->conditions;
    if (windows) json["text"] = input.windows->conditions();
    if (repair) json.update({{"repair", input.repair}, {"repair_settings", settings_to_json(input.repair_settings)}});
    return json;
}

nlohmann::json set_json(const FoundSet& set) {
    auto windows = nlohmann::json::array();
    for (const WindowScore& w : set.windows) windows.push_back({w.nll_sum, w.tokens});
    return {{"removed", set.removed.layers()}, {"order", set.order}, {"cost", set.cost}, {"windows", windows}};
}

FoundSet set_of(const nlohmann::json& json) {
    FoundSet set{.removed = LayerSet(json.at("removed").get<std::vector<int>>()),
                 .order = json.at("order").get<std::vector<int>>(),
                 .windows = {},
                 .cost = json.at("cost").get<double>()};
    for (const auto& w : json.at("windows")) set.windows.push_back({w.at(0).get<double>(), w.at(1).get<std::int64_t>()});
    return set;
}

/// Edits as arrays named "3/mlp.down_proj.weight"; a merge has no maps and no branch scales.
void add_merge(const Variant& merged, Artefact& artefact) {
    for (const auto& [layer, edit] : merged.edits())
        for (const auto& [name, values] : edit->tensors) artefact.floats[std::to_string(layer) + "/" + name] = values;
}

Variant merge_of(const LayerSet& removed, const Artefact& artefact) {
    std::map<int, LayerEdit> edits;
    for (const auto& [name, values] : artefact.floats) {
        const auto slash = name.find('/');
        edits[std::stoi(name.substr(0, slash))].tensors[name.substr(slash + 1)] = values;
    }
    Variant merged(removed);
    for (auto& [layer, edit] : edits) merged = merged.with_edit(layer, std::move(edit));
    return merged;
}

}  // namespace

Key ranking_key(const SelectionInput& input, const std::string& criterion, int n) {
    const Needs& needs = criterion_named(criterion).needs;
    nlohmann::json json = base_of(input, needs.statistics, needs.windows(), needs.repair);
    json.update({{"what", "ranking"}, {"criterion", criterion}, {"n", n}, {"settings", settings_to_json(input.settings)}});
    return Key::of(json);
}

Artefact Ranking::to_artefact() const {
    Artefact artefact;
    auto places = nlohmann::json::array();
    std::vector<double> values;
    for (const auto& [place, score] : scores) {
        places.push_back(place);
        values.push_back(score);
    }
    if (!values.empty()) artefact.doubles["scores"] = Array<double>({std::int64_t(values.size())}, values);
    artefact.meta = {{"criterion", criterion},
                     {"removed", removed.layers()},
                     {"places", std::move(places)},
                     {"higher_is_better", higher_is_better},
                     {"blocks", blocks},
                     {"order", order},
                     {"merged", merged.has_value()},
                     {"parameters", parameters}};
    if (merged) add_merge(*merged, artefact);
    return artefact;
}

Ranking Ranking::from_artefact(const Artefact& artefact) {
    const nlohmann::json& m = artefact.meta;
    Ranking ranking{.criterion = m.at("criterion"),
                    .removed = LayerSet(m.at("removed").get<std::vector<int>>()),
                    .scores = {},
                    .higher_is_better = m.at("higher_is_better"),
                    .blocks = m.at("blocks"),
                    .order = m.at("order"),
                    .parameters = m.at("parameters")};
    const auto places = m.at("places").get<std::vector<int>>();
    for (std::size_t i = 0; i < places.size(); ++i) ranking.scores[places[i]] = artefact.doubles.at("scores").data.at(i);
    if (m.at("merged").get<bool>()) ranking.merged = merge_of(ranking.removed, artefact);
    return ranking;
}

Key search_key(const SelectionInput& input, const Budget& budget, const SearchSettings& settings) {
    const bool fitted = repair_kind(input.repair).fitted;
    nlohmann::json json = base_of(input, !settings.no_seeds, true, fitted);
    json.update({{"what", "search"},
                 {"budget", {{"unit", budget.unit}, {"amount", budget.amount}, {"cost", budget.cost}}},
                 {"settings", settings_to_json(settings)}});
    if (!settings.no_seeds) json["criteria"] = settings_to_json(input.settings);
    return Key::of(json);
}

Artefact SearchResult::to_artefact() const {
    Artefact artefact;
    artefact.meta = {{"evaluations", evaluations}, {"passes", passes},     {"passes_plain", passes_plain},
                     {"seconds", seconds},         {"complete", complete}, {"parameters", parameters}};
    artefact.meta["best"] = nlohmann::json::array();
    for (const auto& [size, set] : best) artefact.meta["best"].push_back(set_json(set));
    if (chosen) artefact.meta["chosen"] = set_json(*chosen);
    return artefact;
}

SearchResult SearchResult::from_artefact(const Artefact& artefact) {
    const nlohmann::json& m = artefact.meta;
    SearchResult result;
    for (const auto& json : m.at("best")) {
        FoundSet set = set_of(json);
        result.best[set.removed.size()] = std::move(set);
    }
    if (m.contains("chosen")) result.chosen = set_of(m.at("chosen"));
    result.evaluations = m.at("evaluations");
    result.passes = m.at("passes");
    result.passes_plain = m.at("passes_plain");
    result.seconds = m.at("seconds");
    result.complete = m.at("complete");
    result.parameters = m.at("parameters");
    return result;
}

}  // namespace suture
