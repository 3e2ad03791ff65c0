// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/tasks.h"

#include <algorithm>
#include <set>

#include "core/figures/internal/parts.h"
#include "core/tasks/retained.h"

namespace suture {
namespace {

using Rows = std::vector<TaskScores>;

std::string heading(const TaskResult& result) { return result.name + " (" + result.headline() + " %)"; }

std::string sentence_for(const Rows& rows) {
    const bool any = std::any_of(rows.begin(), rows.end(), [](const TaskScores& row) { return !row.results.empty(); });
    return any ? "" : "Choose tasks and the folder that holds their files, and score them to see which abilities the removal costs.";
}

std::string count_words(const TaskResult& result) {
    const auto scored = std::int64_t(result.rows.size());
    return grouped(scored) + (result.available > scored ? " of " + grouped(result.available) : "") + " questions";
}

/// The score to expect of a model that knows nothing.
double by_guessing(const TaskResult& result) {
    double sum = 0;
    for (const TaskRow& row : result.rows) sum += 1 / double(row.loglikelihood.size());
    return sum / double(result.rows.size());
}

/// "acc_norm 61.20 ± 1.40 %, guessing gives 25 %, 30 of 2,376 questions, no examples, no BOS, ARC-Easy-Test.jsonl, float32"
std::string conditions_of(const TaskResult& result) {
    const Score score = result.score(result.headline());
    const auto text = [&](const char* name) {
        return result.conditions.is_object() ? result.conditions.value(name, std::string()) : std::string();
    };
    std::vector<std::string> parts{result.headline() + " " + significant(100 * score.value, 4) +
                                   (score.stderr_ ? " ± " + significant(100 * *score.stderr_, 3) : "") + " %"};
    parts.push_back("guessing gives " + significant(100 * by_guessing(result), 3) + " %");
    parts.push_back(count_words(result));
    parts.push_back(result.fewshot == 0 ? "no examples" : grouped(result.fewshot) + " examples");
    if (const auto bos = text("task_bos"); !bos.empty()) parts.push_back(bos == "always" ? "one BOS" : "no BOS");
    if (const auto dtype = text("dtype"); !dtype.empty()) parts.push_back(dtype);
    if (result.conditions.is_object() && result.conditions.contains("files"))
        for (const auto& file : result.conditions["files"]) parts.push_back(file.get<std::string>());
    return joined(parts);
}

}  // namespace

Figure task_bars(const Rows& rows) {
    Figure result = figure("task-scores", "Score in every task", {.title = "task"}, {.title = "score (%)"}, sentence_for(rows));
    if (!result.empty.empty()) return result;
    bool limited = false;
    std::set<std::size_t> counts;  // of questions
    for (const TaskScores& row : rows) {
        Series bars{.name = row.variant.shown(), .role = row.variant.shown_role(), .style = Series::Style::Bars};
        std::vector<std::string> names;
        for (const TaskResult& task : with_groups(row.results)) {
            const Score score = task.score(task.headline());
            const double value = 100 * score.value, error = 100 * score.stderr_.value_or(0);
            bars.x.push_back(double(names.size()));
            bars.y.push_back(value);
            bars.low.push_back(value - error);
            bars.high.push_back(value + error);
            names.push_back(task.name);
            limited |= std::int64_t(task.rows.size()) < task.available;
            counts.insert(task.rows.size());
        }
        if (names.size() > result.x.labels.size()) result.x.labels = names;
        if (!bars.x.empty()) result.series.push_back(std::move(bars));
    }
    result.caption = joined({"acc_norm where a task lists it, else acc", "whiskers: one standard error to both sides",
                             !limited             ? ""
                             : counts.size() == 1 ? "only the first " + grouped(std::int64_t(*counts.begin())) + " questions of each task"
                                                  : "not all questions of each task"});
    return result;
}

Table task_scores_table(const Rows& rows) {
    Rows known;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(known), [](const TaskScores& row) { return !row.results.empty(); });
    if (known.empty()) return {.title = "Tasks"};
    std::vector<std::string> names;
    std::vector<std::vector<TaskResult>> results;
    for (const TaskScores& row : known) {
        names.push_back(row.variant.label);
        results.push_back(row.results);
    }
    Table table = task_table(names, results);
    table.columns[0].title = "variant";
    table.columns.push_back({"state"});
    for (std::size_t v = 0; v < known.size(); ++v) {
        table.rows[v].emplace_back(known[v].variant.state());
        table.notes.emplace_back(table.columns.size());
        for (const TaskResult& task : with_groups(known[v].results))
            for (std::size_t c = 0; c < table.columns.size(); ++c)
                if (table.columns[c].title == heading(task)) table.notes[v][c] = conditions_of(task);
    }
    return table;
}

}  // namespace suture
