// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/tasks.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

/// Four questions of two choices, of which the first `right` are answered rightly.
TaskResult result(const std::string& name, int right) {
    TaskResult r{.name = name, .metrics = {"acc"}, .available = 10};
    for (int i = 0; i < 4; ++i)
        r.rows.push_back(
            {.loglikelihood = {i < right ? -1.0 : -3.0, -2.0}, .is_greedy = {false, false}, .characters = {1, 1}, .bytes = {1, 1}});
    r.conditions = {{"files", {"a.jsonl"}}, {"task_bos", "never"}, {"dtype", "float32"}};
    return r;
}

std::vector<TaskScores> three_rows() {
    return {{{"dense", "Dense", Role::Dense}, {result("first", 4), result("second", 2)}},
            {{"none", "No repair", Role::Unpatched}, {result("first", 1), result("second", 2)}},
            {{"linearpatch", "LinearPatch", Role::Patched, true}, {result("first", 3), result("second", 1)}}};
}

}  // namespace

class TaskFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_what_is_missing() {
        QVERIFY(contains(task_bars({}).empty, "tasks"));
        QVERIFY(task_scores_table({}).rows.empty());
        QVERIFY(task_scores_table({{{"dense", "Dense", Role::Dense}, {}}}).rows.empty());  // no task is done yet
    }

    void bars_with_standard_errors() {
        const Figure figure = task_bars(three_rows());
        QCOMPARE(figure.x.labels, (std::vector<std::string>{"first", "second"}));
        QCOMPARE(figure.series.size(), std::size_t(3));
        QVERIFY(near(series_named(figure, "Dense").y, {100, 50}));
        const Series stale = series_named(figure, "LinearPatch (stale)");
        QVERIFY(near(stale.y, {75, 25}) && stale.role == Role::Neutral);
        // Three of four right: sqrt(¾·¼/3) = 0.25 is the standard error.
        QVERIFY(near({stale.low[0], stale.high[0]}, {50, 100}));
        QVERIFY(contains(figure.caption, "only the first 4 questions of each task"));
        auto rows = three_rows();
        for (TaskScores& row : rows) row.results[1].rows.pop_back();
        QVERIFY(contains(task_bars(rows).caption, "not all questions"));
        for (TaskScores& row : rows)
            for (TaskResult& task : row.results) task.available = std::int64_t(task.rows.size());
        QVERIFY(!contains(task_bars(rows).caption, "questions"));
    }

    void table_with_conditions() {
        const Table table = task_scores_table(three_rows());
        const auto row_text = [&](std::size_t r) {
            std::string line;
            for (std::size_t c = 0; c < table.columns.size(); ++c) line += (c ? "|" : "") + table.text(r, c);
            return line;
        };
        // Averages 75, 37.5, 50; of the dense average 50 % and 66.67 %; task by task (25+100)/2 and (75+50)/2.
        QCOMPARE(row_text(0), std::string("Dense|100.00|50.00|75.00|100.00|100.00|–|fresh"));
        QCOMPARE(row_text(1), std::string("No repair|25.00|50.00|37.50|50.00|62.50|1|fresh"));
        QCOMPARE(row_text(2), std::string("LinearPatch|75.00|25.00|50.00|66.67|62.50|1|stale"));
        QCOMPARE(table.note(2, 1),
                 std::string("acc 75.00 ± 25.0 % · guessing gives 50.0 % · 4 of 10 questions · no examples · no BOS · float32 · a.jsonl"));
        QCOMPARE(table.note(2, 0), std::string());
    }
};

SUTURE_SUITE(TaskFigures)
#include "tasks_test.moc"
