// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/retained.h"

#include <algorithm>

#include "core/base/error.h"

namespace suture {
namespace {

/// Tasks in no group that was formed, and the widest groups.
std::vector<TaskResult> top_level(std::span<const TaskResult> results) {
    const auto all = with_groups(results);
    const auto formed = [&](const std::string& name) {
        return std::any_of(all.begin(), all.end(), [&](const TaskResult& r) { return r.name == name; });
    };
    std::vector<TaskResult> top;
    for (const TaskResult& result : all)
        if (std::none_of(result.groups.begin(), result.groups.end(), formed)) top.push_back(result);
    return top;
}

/// A group, then its members, groups of them in the same way.
void add_with_members(const TaskResult& result, const std::vector<TaskResult>& all, std::vector<TaskResult>& list) {
    list.push_back(result);
    for (const TaskResult& member : all)
        if (!member.groups.empty() && member.groups.front() == result.name) add_with_members(member, all, list);
}

/// Every task and group once, a group in front of its members.
std::vector<TaskResult> from_wide_to_narrow(std::span<const TaskResult> results) {
    const auto all = with_groups(results);
    std::vector<TaskResult> list;
    for (const TaskResult& result : top_level(results)) add_with_members(result, all, list);
    return list;
}

double headline_percent(const TaskResult& result) { return 100 * result.score(result.headline()).value; }

}  // namespace

double task_average(std::span<const TaskResult> results) {
    const auto top = top_level(results);
    if (top.empty()) throw Error("there is no task to average over", Error::Kind::Internal);
    double sum = 0;
    for (const TaskResult& result : top) sum += headline_percent(result);
    return sum / double(top.size());
}

double retained_performance(double average, double dense_average) { return 100 * average / dense_average; }

double retained_task_by_task(std::span<const TaskResult> results, std::span<const TaskResult> dense) {
    const auto own = top_level(results), full = top_level(dense);
    double sum = 0, tasks = 0;
    for (std::size_t t = 0; t < full.size(); ++t) {
        const double dense_score = headline_percent(full[t]);
        if (dense_score == 0) continue;
        sum += 100 * headline_percent(own.at(t)) / dense_score;
        ++tasks;
    }
    return tasks > 0 ? sum / tasks : 0;
}

std::vector<int> task_wins(const std::vector<std::vector<TaskResult>>& variants) {
    std::vector<int> wins(variants.size(), 0);
    if (variants.empty()) return wins;
    std::vector<std::vector<double>> scores;  // [variant][task]
    for (const auto& results : variants) {
        scores.emplace_back();
        for (const TaskResult& result : top_level(results)) scores.back().push_back(headline_percent(result));
    }
    for (std::size_t t = 0; t < scores[0].size(); ++t) {
        double best = scores[0][t];
        for (const auto& row : scores) best = std::max(best, row.at(t));
        for (std::size_t v = 0; v < scores.size(); ++v) wins[v] += scores[v][t] == best;
    }
    return wins;
}

Table task_table(const std::vector<std::string>& names, const std::vector<std::vector<TaskResult>>& results) {
    Table table{.title = "Tasks", .columns = {{"model"}}, .rows = {}};
    if (results.empty()) return table;
    for (const TaskResult& result : top_level(results[0])) table.columns.push_back({result.name + " (" + result.headline() + " %)", 2});
    table.columns.insert(table.columns.end(), {{"average (%)", 2}, {"of dense average (%)", 2}, {"RP, task by task (%)", 2}, {"wins"}});
    const double dense = task_average(results[0]);
    const std::vector<std::vector<TaskResult>> pruned(results.begin() + 1, results.end());
    const auto wins = task_wins(pruned);
    for (std::size_t v = 0; v < results.size(); ++v) {
        std::vector<Cell> row{names.at(v)};
        for (const TaskResult& result : top_level(results[v])) row.emplace_back(headline_percent(result));
        const double average = task_average(results[v]);
        row.emplace_back(average);
        row.emplace_back();
        if (dense > 0) row.back() = retained_performance(average, dense);
        row.emplace_back(retained_task_by_task(results[v], results[0]));
        row.emplace_back();
        if (v > 0) row.back() = std::int64_t(wins[v - 1]);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table score_table(const std::string& name, std::span<const TaskResult> results) {
    Table table{.title = "Tasks: " + name,
                .columns = {{"task"}, {"documents"}, {"examples"}, {"acc (%)", 2}, {"± stderr", 2}, {"acc_norm (%)", 2}, {"± stderr", 2}},
                .rows = {}};
    for (const TaskResult& result : from_wide_to_narrow(results)) {
        std::vector<Cell> row{result.name, std::int64_t(result.rows.size()), result.fewshot};
        for (const char* metric : {"acc", "acc_norm"}) {
            if (std::find(result.metrics.begin(), result.metrics.end(), metric) == result.metrics.end()) {
                row.resize(row.size() + 2);
                continue;
            }
            const Score score = result.score(metric);
            row.emplace_back(100 * score.value);
            row.emplace_back();
            if (score.stderr_) row.back() = 100 * *score.stderr_;
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table score_table(const std::vector<std::string>& names, const std::vector<std::vector<TaskResult>>& results) {
    Table table{
        .title = "Task scores with their errors",
        .columns =
            {{"task"}, {"variant"}, {"documents"}, {"of"}, {"examples"}, {"BOS in front"}, {"score"}, {"value (%)", 2}, {"± stderr", 2}},
        .rows = {}};
    std::vector<std::vector<TaskResult>> tops;
    for (const auto& own : results) tops.push_back(top_level(own));
    for (std::size_t t = 0; !tops.empty() && t < tops[0].size(); ++t)
        for (std::size_t v = 0; v < tops.size(); ++v) {
            const TaskResult& result = tops[v].at(t);
            const Score score = result.score(result.headline());
            table.rows.push_back({result.name, names.at(v), std::int64_t(result.rows.size()), result.available, result.fewshot,
                                  result.conditions.value("task_bos", ""), result.headline(), 100 * score.value,
                                  score.stderr_ ? Cell(100 * *score.stderr_) : Cell()});
        }
    return table;
}

}  // namespace suture
