// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates of cost against counts by hand, on a llama of 4 layers, hidden size 8, vocabulary 16.
#include "core/study/cost.h"

#include <QtTest/QtTest>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/zero_llama.h"

using namespace suture;

class TestCost : public QObject {
    Q_OBJECT

    // seven matrices of 8 × 8 and two norms of 8; the head has 16 × 8
    static constexpr double layer = 7 * 64 + 2 * 8, head = 128;
    test::TemporaryFolder folder_;
    std::shared_ptr<const Model> model_;

private Q_SLOTS:
    void initTestCase() { model_ = test::llama_of_zeros(folder_.path() / "model", 4); }

    void evaluation() {
        QCOMPARE(evaluation_operations(*model_, {}, 0, 10), 2 * 10 * (4 * layer + head));
        // Without layer 2 the dense model goes on alone: behind the seam a variant runs layer 3 and the head.
        QCOMPARE(evaluation_operations(*model_, LayerSet({2}), 3, 10), 2 * 10 * (4 * layer + head + 3 * (layer + head)));
        QCOMPARE(evaluation_operations(*model_, LayerSet({1, 3}), 1, 10), 2 * 10 * (4 * layer + head + (layer + head)));
    }

    void calibration() {
        // Every one of the 10 pairs of 5 boundaries costs some 30 multiplications per channel.
        QCOMPARE(calibration_operations(*model_, 10), 10 * (2 * 4 * layer + 30 * 10 * 8));
    }

    void recommendation() {
        double maps = 0, edits = 0, twice = 0;
        for (const RepairInfo& info : repair_kinds()) {
            if (!info.fitted || !repair_refusal(info.name, *model_, LayerSet({2})).empty()) continue;
            (info.edits ? edits : maps) += 1;
            twice += info.ridge ? 1 : 0;
        }
        QVERIFY(maps > 3 && edits > 0 && twice > 3);
        // Three quarters of 400 tokens are fitted on, up to the seam's end in front of layer 3; the others are scored.
        const auto expected = [&](double fits) {
            return 2 * 300 * fits * 3 * layer + 2 * 100 * (4 * layer + head + (fits + 1) * (layer + head));
        };
        QCOMPARE(recommendation_operations(*model_, LayerSet({2}), {}, 400), expected(maps + edits));
        QCOMPARE(recommendation_operations(*model_, LayerSet({2}), {.kinds = {"channel", "linearpatch"}}, 400), expected(2));
        QCOMPARE(recommendation_operations(*model_, LayerSet({2}), {.massive_each = true}, 400), expected(maps + edits + 2 * twice));
    }
};

SUTURE_SUITE(TestCost)
#include "test_cost.moc"
