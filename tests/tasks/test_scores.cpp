// SPDX-License-Identifier: GPL-3.0-or-later
// From log-likelihoods to scores, tables and files.
#include <QtTest/QtTest>

#include "core/tasks/retained.h"
#include "tests/support/suites.h"
#include "tests/tasks/task_support.h"

using namespace suture;
using test::hand_made;

namespace {

/// A document of two choices, the first one right or not.
TaskRow right() { return {{-1, -2}, {false, false}, {4, 4}, {4, 4}, 0}; }
TaskRow wrong() { return {{-2, -1}, {false, false}, {4, 4}, {4, 4}, 0}; }

TaskResult with_accuracy(const std::string& name, int ones, int documents) {
    std::vector<TaskRow> rows;
    for (int d = 0; d < documents; ++d) rows.push_back(d < ones ? right() : wrong());
    return hand_made(name, rows);
}

TaskResult subject(const std::string& name, const std::string& group, int ones, int documents) {
    TaskResult result = with_accuracy(name, ones, documents);
    result.groups = {group, "mmlu"};
    result.available = 50;
    result.fewshot = 5;
    return result;
}

}  // namespace

class TestScores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void accuracy_and_its_error_by_hand() {
        // 3 of 4 right: mean 0.75, deviations 0.25² three times and 0.75² once: 0.75 / 3 = 0.25, its root 0.5, over √4.
        const Score score = with_accuracy("t", 3, 4).score("acc");
        QCOMPARE(score.value, 0.75);
        QVERIFY(std::abs(*score.stderr_ - 0.25) < 1e-12);
        QVERIFY(!with_accuracy("t", 1, 1).score("acc").stderr_);
        QCOMPARE(*with_accuracy("t", 5, 5).score("acc").stderr_, 0.0);
    }

    void ties_take_the_first_and_are_counted() {
        const auto result = hand_made("t", {{{-3, -1, -1}, {}, {1, 1, 1}, {1, 1, 1}, 1}, {{-3, -1, -1}, {}, {1, 1, 1}, {1, 1, 1}, 2}});
        QCOMPARE(result.score("acc").value, 0.5);
        QCOMPARE(result.ties(), std::int64_t(2));
        QCOMPARE(with_accuracy("t", 1, 2).ties(), std::int64_t(0));
    }

    void lengths_in_characters_and_in_bytes() {
        // "é" is one character and two bytes, "ab" two of each: -1 against -1.5 is -1 < -0.75 by characters, -0.5 > -0.75 by bytes.
        const auto result = hand_made("t", {{{-1, -1.5}, {false, false}, {1, 2}, {2, 2}, 0}}, {"acc", "acc_norm"});
        QCOMPARE(result.score("acc").value, 1.0);
        QCOMPARE(result.score("acc_norm").value, 0.0);
        QCOMPARE(result.score("acc_bytes").value, 1.0);
        const auto json = result.to_json();
        QCOMPARE(json["acc_norm"], 0.0);
        QCOMPARE(json["acc_bytes"], 1.0);
        QVERIFY(json["acc_stderr"].is_null());
    }

    void groups_are_weighted_by_size() {
        // 1 of 2 and 4 of 4: 5 of 6. Pooled: (1·(0.5/2)·2 + 0) / (6 - 2) = 0.125, over 6, its root.
        const std::vector<TaskResult> results{subject("mmlu_anatomy", "mmlu_stem", 1, 2), subject("mmlu_virology", "mmlu_other", 4, 4)};
        const auto all = with_groups(results);
        QCOMPARE(all.size(), std::size_t(5));
        const auto& mmlu = *std::find_if(all.begin(), all.end(), [](const TaskResult& r) { return r.name == "mmlu"; });
        QVERIFY(std::abs(mmlu.score("acc").value - 5.0 / 6) < 1e-12);
        QVERIFY(std::abs(*mmlu.score("acc").stderr_ - std::sqrt(0.125 / 6)) < 1e-12);
        QVERIFY(mmlu.subtasks == (std::vector<std::string>{"mmlu_anatomy", "mmlu_virology"}));
        QCOMPARE(tasks_json(results)["mmlu"]["rows"].size(), std::size_t(6));
    }

    void average_retained_and_wins() {
        const auto a = [](int ones) { return with_accuracy("a", ones, 10); };
        const auto b = [](int ones) { return with_accuracy("b", ones, 10); };
        const std::vector<TaskResult> dense{a(8), b(6)}, one{a(4), b(6)}, two{a(4), b(3)};
        QVERIFY(std::abs(task_average(dense) - 70) < 1e-9);
        QVERIFY(std::abs(retained_performance(task_average(one), task_average(dense)) - 100 * 50.0 / 70) < 1e-9);
        QVERIFY(task_wins({one, two}) == (std::vector<int>{2, 1}));  // a is shared
        const Table table = task_table({"dense", "one", "two"}, {dense, one, two});
        QCOMPARE(table.columns.size(), std::size_t(7));
        QCOMPARE(table.text(1, 1), std::string("40.00"));
        QCOMPARE(table.text(1, 4), std::string("71.43"));
        QCOMPARE(table.text(1, 5), std::string("75.00"));  // (4/8 + 6/6) / 2
        QCOMPARE(table.text(1, 6), std::string("2"));
        QCOMPARE(table.text(0, 5), std::string("100.00"));
        QCOMPARE(table.text(0, 6), std::string("–"));
    }

    /// LinearPatch's table of LLaMA-2-7B without 7 of 32 layers: nine tasks, averages 69.98 and 62.42, RP 88.88.
    void retained_performance_as_the_paper_prints_it() {
        const std::vector<int> dense{4625, 7458, 7774, 7597, 7911, 6898, 8059, 3962, 8700};
        const std::vector<int> patched{3763, 6124, 6214, 6349, 7046, 6590, 7949, 3646, 8500};
        std::vector<TaskResult> before, after;
        for (std::size_t t = 0; t < dense.size(); ++t) {
            before.push_back(with_accuracy("task " + std::to_string(t), dense[t], 10000));
            after.push_back(with_accuracy("task " + std::to_string(t), patched[t], 10000));
        }
        QVERIFY(std::abs(task_average(before) - 69.98) < 0.005);
        QVERIFY(std::abs(task_average(after) - 62.42) < 0.005);
        QVERIFY(std::abs(retained_task_by_task(after, before) - 88.88) < 0.005);
        QVERIFY(std::abs(retained_performance(task_average(after), task_average(before)) - 89.20) < 0.01);
    }

    void a_group_counts_as_one_task() {
        const std::vector<TaskResult> results{with_accuracy("a", 10, 10), subject("mmlu_anatomy", "mmlu_stem", 0, 10),
                                              subject("mmlu_virology", "mmlu_other", 0, 10)};
        QVERIFY(std::abs(task_average(results) - 50) < 1e-9);
        QCOMPARE(task_table({"dense"}, {results}).columns.size(), std::size_t(1 + 2 + 4));
        QCOMPARE(score_table("m", results).rows.size(), std::size_t(6));
    }

    void a_group_stands_in_front_of_its_members() {
        const std::vector<TaskResult> results{subject("mmlu_anatomy", "mmlu_stem", 1, 2), subject("mmlu_virology", "mmlu_other", 4, 4),
                                              subject("mmlu_astronomy", "mmlu_stem", 1, 2), with_accuracy("copa", 1, 2)};
        const Table table = score_table("m", results);
        std::vector<std::string> order;
        for (const auto& row : table.rows) order.push_back(std::get<std::string>(row[0]));
        QCOMPARE(order,
                 (std::vector<std::string>{"copa", "mmlu", "mmlu_stem", "mmlu_anatomy", "mmlu_astronomy", "mmlu_other", "mmlu_virology"}));
    }

    void scores_of_variants_with_their_errors() {
        auto dense = with_accuracy("copa", 3, 4), pruned = with_accuracy("copa", 1, 4);
        dense.available = pruned.available = 100;
        dense.conditions["task_bos"] = pruned.conditions["task_bos"] = "never";
        const Table table = score_table({"dense", "none"}, {{dense}, {pruned}});
        QCOMPARE(table.rows.size(), std::size_t(2));
        // s² = (3 - 9/4) / 3 = 1/4, so the error is 1/2 / √4 = 25 %.
        QCOMPARE(table.text(0, 7) + "|" + table.text(1, 7) + "|" + table.text(1, 8), std::string("75.00|25.00|25.00"));
        QCOMPARE(table.text(1, 0) + "|" + table.text(1, 1) + "|" + table.text(1, 2) + "|" + table.text(1, 3) + "|" + table.text(1, 5),
                 std::string("copa|none|4|100|never"));
    }

    void conditions_of_each_task_and_of_all() {
        std::vector<TaskResult> results{with_accuracy("copa", 1, 2), with_accuracy("piqa", 1, 2)};
        results[0].conditions = {{"dtype", "float32"}, {"fewshot", 0}};
        results[1].conditions = {{"dtype", "float32"}, {"fewshot", 5}};
        const auto json = harness_json(results, "model, none", {});
        QCOMPARE(json["config"]["suture"], (nlohmann::json{{"dtype", "float32"}}));
        QCOMPARE(json["configs"]["piqa"]["suture"]["fewshot"], 5);
        QCOMPARE(json["configs"]["copa"]["suture"]["fewshot"], 0);
        QCOMPARE(json["model_name"], "model, none");
    }

    void acc_norm_is_what_tables_show() {
        auto result = hand_made("t", {{{-1, -1.5}, {false, false}, {1, 2}, {2, 2}, 0}}, {"acc", "acc_norm"});
        QCOMPARE(task_average(std::span(&result, 1)), 0.0);
        result.metrics = {"acc"};
        QCOMPARE(task_average(std::span(&result, 1)), 100.0);
    }

    void harness_key_names() {
        std::vector<TaskResult> results{subject("mmlu_anatomy", "mmlu_stem", 1, 2), subject("mmlu_virology", "mmlu_other", 4, 4),
                                        with_accuracy("copa", 1, 1)};
        const auto json = harness_json(results, "model", {.limit = 4});
        for (const char* key :
             {"results", "groups", "group_subtasks", "configs", "versions", "n-shot", "higher_is_better", "n-samples", "config"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["results"]["mmlu_anatomy"]["acc,none"], 0.5);
        QVERIFY(json["results"]["mmlu_anatomy"].contains("acc_stderr,none"));
        QCOMPARE(json["results"]["mmlu_anatomy"]["alias"], "  - anatomy");
        QCOMPARE(json["results"]["copa"]["alias"], "copa");
        QCOMPARE(json["results"]["copa"]["acc_stderr,none"], "N/A");
        QCOMPARE(json["group_subtasks"]["mmlu"], (nlohmann::json{"mmlu_stem", "mmlu_other"}));
        QCOMPARE(json["group_subtasks"]["mmlu_stem"], (nlohmann::json{"mmlu_anatomy"}));
        QVERIFY(json["groups"].contains("mmlu") && !json["groups"].contains("copa"));
        QCOMPARE(json["n-samples"]["mmlu_virology"], (nlohmann::json{{"original", 50}, {"effective", 4}}));
        QCOMPARE(json["n-shot"]["mmlu_virology"], 5);
        QCOMPARE(json["config"]["limit"], 4);
    }

    void survives_the_store() {
        TaskResult result = hand_made("t", {{{-1.25, -2, -3}, {true, false, true}, {1, 2, 3}, {4, 5, 6}, 2}, right()}, {"acc", "acc_norm"});
        result.groups = {"g"};
        result.version = 2;
        result.available = 9;
        result.fewshot = 3;
        result.conditions = {{"dtype", "float32"}};
        const auto back = TaskResult::from_artefact(result.to_artefact());
        QCOMPARE(back.to_json(), result.to_json());
        QCOMPARE(back.rows[0].bytes, result.rows[0].bytes);
        QVERIFY(back.groups == result.groups && back.version == 2 && back.available == 9 && back.fewshot == 3);
    }
};

SUTURE_SUITE(TestScores)
#include "test_scores.moc"
