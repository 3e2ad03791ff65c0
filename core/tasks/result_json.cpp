// SPDX-License-Identifier: GPL-3.0-or-later
// Results as data: CONTRACT JSON, the harness's own form, artefacts.
#include <map>
#include <set>

#include "core/tasks/result.h"

namespace suture {
namespace {

using nlohmann::json;

json number_or_null(const std::optional<double>& value) { return value ? json(*value) : json(); }

/// Metrics that are written: acc_bytes goes with acc_norm, so that nobody takes one for the other.
std::vector<std::string> written_metrics(const TaskResult& result) {
    auto metrics = result.metrics;
    if (result.headline() == "acc_norm") metrics.push_back("acc_bytes");
    return metrics;
}

/// "mmlu_stem" reads "stem" below mmlu, in the harness's tables too.
std::string alias(const TaskResult& result) {
    if (result.groups.empty()) return result.name;
    const std::string front = result.groups.back() + "_";
    const bool group = !result.subtasks.empty();
    return std::string(group ? " - " : "  - ") + (result.name.starts_with(front) ? result.name.substr(front.size()) : result.name);
}

json harness_scores(const TaskResult& result) {
    json scores{{"alias", alias(result)}};
    for (const std::string& metric : result.metrics) {
        const Score score = result.score(metric);
        scores[metric + ",none"] = score.value;
        scores[metric + "_stderr,none"] = score.stderr_ ? json(*score.stderr_) : json("N/A");
    }
    return scores;
}

/// A group's own members: its groups where it has any, else its tasks.
std::vector<std::string> direct_members(const TaskResult& group, std::span<const TaskResult> all) {
    std::vector<std::string> names;
    for (const TaskResult& result : all)
        if (!result.groups.empty() && result.groups.front() == group.name) names.push_back(result.name);
    return names;
}

/// What holds for every task.
json common_conditions(std::span<const TaskResult> results) {
    json common = results.empty() ? json::object() : results[0].conditions;
    for (const TaskResult& result : results)
        for (auto it = common.begin(); it != common.end();)
            if (result.conditions.value(it.key(), json()) == it.value()) ++it;
            else it = common.erase(it);
    return common;
}

}  // namespace

json TaskResult::to_json() const {
    json result{{"documents", rows.size()}, {"ties", ties()}, {"conditions", conditions}};
    for (const std::string& metric : written_metrics(*this)) {
        const Score score_ = score(metric);
        result[metric] = score_.value;
        result[metric + "_stderr"] = number_or_null(score_.stderr_);
    }
    auto list = json::array();
    for (const TaskRow& row : rows)
        list.push_back({{"loglikelihood", row.loglikelihood}, {"is_greedy", row.is_greedy}, {"gold", row.gold}});
    result["rows"] = std::move(list);
    if (!subtasks.empty()) result["subtasks"] = subtasks;
    return result;
}

json tasks_json(std::span<const TaskResult> results) {
    json tasks = json::object();
    for (const TaskResult& result : with_groups(results)) tasks[result.name] = result.to_json();
    return tasks;
}

json harness_json(std::span<const TaskResult> results, const std::string& model, const TaskSettings& settings) {
    json out{{"results", json::object()}, {"group_subtasks", json::object()},   {"configs", json::object()},  {"versions", json::object()},
             {"n-shot", json::object()},  {"higher_is_better", json::object()}, {"n-samples", json::object()}};
    const auto all = with_groups(results);
    for (const TaskResult& result : all) {
        out["results"][result.name] = harness_scores(result);
        out["versions"][result.name] = result.version;
        for (const std::string& metric : result.metrics) out["higher_is_better"][result.name][metric] = true;
        if (!result.subtasks.empty()) {
            out["groups"][result.name] = out["results"][result.name];
            out["group_subtasks"][result.name] = direct_members(result, all);
            continue;
        }
        out["group_subtasks"][result.name] = json::array();
        out["n-shot"][result.name] = result.fewshot;
        out["n-samples"][result.name] = {{"original", result.available}, {"effective", result.rows.size()}};
        out["configs"][result.name] = {{"task", result.name},
                                       {"output_type", "multiple_choice"},
                                       {"num_fewshot", result.fewshot},
                                       {"metadata", {{"version", result.version}}},
                                       {"suture", result.conditions}};
    }
    out["config"] = {{"model", "suture"},
                     {"model_args", "pretrained=" + model},
                     {"limit", settings.limit > 0 ? json(settings.limit) : json()},
                     {"bootstrap_iters", 0},
                     {"fewshot_seed", settings.fewshot_seed}};
    out["config"]["suture"] = common_conditions(results);
    out["model_source"] = "suture";
    out["model_name"] = model;
    return out;
}

Artefact TaskResult::to_artefact() const {
    std::vector<double> values;
    std::vector<std::int64_t> greedy, characters_, bytes_, choices, gold;
    for (const TaskRow& row : rows) {
        values.insert(values.end(), row.loglikelihood.begin(), row.loglikelihood.end());
        greedy.insert(greedy.end(), row.is_greedy.begin(), row.is_greedy.end());
        characters_.insert(characters_.end(), row.characters.begin(), row.characters.end());
        bytes_.insert(bytes_.end(), row.bytes.begin(), row.bytes.end());
        choices.push_back(std::int64_t(row.loglikelihood.size()));
        gold.push_back(row.gold);
    }
    Artefact artefact;
    const auto n = std::int64_t(values.size()), documents = std::int64_t(rows.size());
    artefact.doubles["loglikelihood"] = Array<double>({n}, std::move(values));
    artefact.integers["is_greedy"] = Array<std::int64_t>({n}, std::move(greedy));
    artefact.integers["characters"] = Array<std::int64_t>({n}, std::move(characters_));
    artefact.integers["bytes"] = Array<std::int64_t>({n}, std::move(bytes_));
    artefact.integers["choices"] = Array<std::int64_t>({documents}, std::move(choices));
    artefact.integers["gold"] = Array<std::int64_t>({documents}, std::move(gold));
    artefact.meta = {{"name", name},       {"groups", groups},       {"metrics", metrics},      {"version", version},
                     {"fewshot", fewshot}, {"available", available}, {"conditions", conditions}};
    return artefact;
}

TaskResult TaskResult::from_artefact(const Artefact& artefact) {
    const json& meta = artefact.meta;
    TaskResult result{.name = meta.at("name"),
                      .groups = meta.at("groups"),
                      .metrics = meta.at("metrics"),
                      .version = meta.at("version"),
                      .available = meta.at("available"),
                      .fewshot = meta.at("fewshot"),
                      .rows = {},
                      .subtasks = {},
                      .subtask_sizes = {},
                      .conditions = meta.at("conditions")};
    std::size_t at = 0;
    const auto& counts = artefact.integers.at("choices").data;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        TaskRow row{.loglikelihood = {}, .is_greedy = {}, .characters = {}, .bytes = {}, .gold = int(artefact.integers.at("gold").data[r])};
        for (std::int64_t c = 0; c < counts[r]; ++c, ++at) {
            row.loglikelihood.push_back(artefact.doubles.at("loglikelihood").data[at]);
            row.is_greedy.push_back(artefact.integers.at("is_greedy").data[at] != 0);
            row.characters.push_back(artefact.integers.at("characters").data[at]);
            row.bytes.push_back(artefact.integers.at("bytes").data[at]);
        }
        result.rows.push_back(std::move(row));
    }
    return result;
}

}  // namespace suture
