// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/result.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace suture {
namespace {

/// Log-likelihoods divided by what the metric says.
std::vector<double> weighed(const TaskRow& row, const std::string& metric) {
    std::vector<double> values = row.loglikelihood;
    if (metric == "acc") return values;
    const auto& lengths = metric == "acc_bytes" ? row.bytes : row.characters;
    for (std::size_t c = 0; c < values.size(); ++c) values[c] /= double(lengths[c]);
    return values;
}

bool is_right(const TaskRow& row, const std::string& metric) {
    const auto values = weighed(row, metric);
    return std::max_element(values.begin(), values.end()) - values.begin() == row.gold;
}

/// Variance of n zeros and ones, `right` of them ones, with n-1.
double sample_variance(double right, double n) { return (right - right * right / n) / (n - 1); }

std::vector<const TaskResult*> members(std::span<const TaskResult> results, const std::string& group) {
    std::vector<const TaskResult*> list;
    for (const TaskResult& result : results)
        if (std::find(result.groups.begin(), result.groups.end(), group) != result.groups.end()) list.push_back(&result);
    return list;
}

TaskResult group_of(const std::vector<const TaskResult*>& tasks, const std::string& name) {
    TaskResult group = *tasks[0];
    group.name = name;
    group.rows.clear();
    group.available = 0;
    const auto at = std::find(tasks[0]->groups.begin(), tasks[0]->groups.end(), name);
    group.groups.assign(at + 1, tasks[0]->groups.end());
    auto digests = nlohmann::json::array();
    for (const TaskResult* task : tasks) {
        group.rows.insert(group.rows.end(), task->rows.begin(), task->rows.end());
        group.available += task->available;
        group.subtasks.push_back(task->name);
        group.subtask_sizes.push_back(std::int64_t(task->rows.size()));
        digests.push_back(task->conditions.value("files_sha256", ""));
    }
    group.conditions["files_sha256"] = std::move(digests);
    group.conditions.erase("files");
    return group;
}

}  // namespace

Score TaskResult::score(const std::string& metric) const {
    if (rows.empty()) throw Error(name + ": no document was scored", Error::Kind::Internal);
    const auto sizes = subtask_sizes.empty() ? std::vector<std::int64_t>{std::int64_t(rows.size())} : subtask_sizes;
    double right = 0, squares = 0;
    auto row = rows.begin();
    for (const std::int64_t size : sizes) {
        const auto end = row + std::ptrdiff_t(size);
        const double ones = double(std::count_if(row, end, [&](const TaskRow& r) { return is_right(r, metric); }));
        if (size > 1) squares += sample_variance(ones, double(size)) * double(size - 1);
        right += ones;
        row = end;
    }
    const auto n = double(rows.size()), freedom = n - double(sizes.size());
    Score score{.value = right / n, .stderr_ = {}};
    if (freedom > 0) score.stderr_ = std::sqrt(squares / freedom / n);
    return score;
}

std::int64_t TaskResult::ties() const {
    return std::count_if(rows.begin(), rows.end(), [](const TaskRow& row) {
        const auto& values = row.loglikelihood;
        return std::count(values.begin(), values.end(), *std::max_element(values.begin(), values.end())) > 1;
    });
}

std::vector<TaskResult> with_groups(std::span<const TaskResult> results) {
    std::vector<TaskResult> all(results.begin(), results.end());
    for (const TaskResult& result : results)
        for (const std::string& name : result.groups) {
            const bool done = std::any_of(all.begin(), all.end(), [&](const TaskResult& r) { return r.name == name; });
            if (!done) all.push_back(group_of(members(results, name), name));
        }
    return all;
}

}  // namespace suture
