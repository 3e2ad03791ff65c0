// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves the room as text, and how criteria are compared.
#include <QtTest/QtTest>
#include <cmath>

#include "core/selection/agreement.h"
#include "core/selection/share.h"
#include "tests/support/suites.h"

using namespace suture;

class TestWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mergekit() {
        QCOMPARE(mergekit_yaml("org/model", LayerSet({2, 3, 5}), 8, "bfloat16"), std::string("slices:\n"
                                                                                             "  - sources:\n"
                                                                                             "      - model: \"org/model\"\n"
                                                                                             "        layer_range: [0, 2]\n"
                                                                                             "  - sources:\n"
                                                                                             "      - model: \"org/model\"\n"
                                                                                             "        layer_range: [4, 5]\n"
                                                                                             "  - sources:\n"
                                                                                             "      - model: \"org/model\"\n"
                                                                                             "        layer_range: [6, 8]\n"
                                                                                             "merge_method: passthrough\n"
                                                                                             "dtype: bfloat16\n"));
        const auto ends = mergekit_yaml("a \"b\"", LayerSet({0, 3}), 4, "float16");  // no empty range at either end
        QVERIFY(ends.find("layer_range: [1, 3]") != std::string::npos);
        QCOMPARE(ends.find("[0,"), std::string::npos);
        QVERIFY(ends.find("model: \"a \\\"b\\\"\"") != std::string::npos);
    }

    void prune_layers() {
        QCOMPARE(prune_layers_list(LayerSet({11, 7, 8})), std::string("7,8,11"));
        QCOMPARE(prune_layers_list({}), std::string());
    }

    void jaccard_by_hand() {
        QCOMPARE(jaccard(LayerSet({1, 2, 3}), LayerSet({2, 3, 4})), 0.5);
        QCOMPARE(jaccard(LayerSet({1}), LayerSet({2})), 0.0);
        QCOMPARE(jaccard({}, {}), 1.0);
    }

    void spearman_by_hand() {
        Ranking a{.scores = {{1, 0.1}, {2, 0.5}, {3, 0.3}, {4, 0.9}}, .blocks = false};
        Ranking b{.scores = {{1, 10.0}, {2, 50.0}, {3, 30.0}, {4, 90.0}, {7, 1.0}}, .blocks = false};
        QCOMPARE(spearman(a, b), 1.0);  // the order counts, and only what both have
        b.higher_is_better = false;
        QCOMPARE(spearman(a, b), -1.0);
        // Ranks 0 2 1 3 against 1 0 2 3: Σd² = 1 + 4 + 1 + 0, 1 − 6·6/(4·15)
        b = {.scores = {{1, 2.0}, {2, 1.0}, {3, 3.0}, {4, 4.0}}, .blocks = false};
        QVERIFY(std::abs(spearman(a, b) - 0.4) < 1e-12);
        // Ties share ranks: 0.5 0.5 2 3 against 0 2 1 3 gives (1.5 − 0.5 − 0.25 + 2.25) / √(4.5·5).
        b = {.scores = {{1, 1.0}, {2, 1.0}, {3, 3.0}, {4, 4.0}}, .blocks = false};
        QVERIFY(std::abs(spearman(a, b) - 3.0 / std::sqrt(4.5 * 5)) < 1e-12);
        b.blocks = true;
        QVERIFY(std::isnan(spearman(a, b)));
        b = {.scores = {{1, 1.0}, {2, 1.0}}, .blocks = false};
        QVERIFY(std::isnan(spearman(a, b)));
    }

    void agreement_of_three() {
        const std::vector<Ranking> rankings{{.criterion = "a", .removed = LayerSet({1, 2}), .scores = {{1, 3.0}, {2, 2.0}, {3, 1.0}}},
                                            {.criterion = "b", .removed = LayerSet({2, 3}), .scores = {{1, 1.0}, {2, 2.0}, {3, 3.0}}},
                                            {.criterion = "c", .removed = LayerSet({1, 2}), .scores = {{1, 1.0}}, .blocks = false}};
        const Agreement found = agreement(rankings);
        QCOMPARE(found.names, (std::vector<std::string>{"a", "b", "c"}));
        QVERIFY(std::abs(found.removed.at(0, 1) - 1.0 / 3) < 1e-12);
        QCOMPARE(found.removed.at(0, 2), 1.0);
        QCOMPARE(found.scores.at(0, 1), -1.0);
        QVERIFY(std::isnan(found.scores.at(0, 2)));
        QVERIFY(found.to_json()["spearman"][0][2].is_null());
    }
};

SUTURE_SUITE(TestWords)
#include "test_words.moc"
