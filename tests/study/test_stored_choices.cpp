// SPDX-License-Identifier: GPL-3.0-or-later
// Rankings and searches are found again: a second run with a stopped progress answers alike, so nothing was run.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/study/study.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;

class TestStoredChoices : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;
    std::stop_source stop_;
    Progress stopped_{stop_.get_token()};
    std::shared_ptr<const Statistics> statistics_;

    /// As after a restart: nothing in memory.
    Study open() const { return Study(folder_.path() / "model", std::make_shared<Store>(folder_.path() / "cache")); }

    SelectionInput input_of(const Study& study, Progress* progress) const {
        SelectionInput input{.statistics = statistics_.get(), .model = study.model(), .windows = &test::text, .progress = progress};
        input.settings.no_plus = true;
        return input;
    }

    void same(const FoundSet& a, const FoundSet& b) const {
        QCOMPARE(a.removed, b.removed);
        QCOMPARE(a.order, b.order);
        QCOMPARE(a.cost, b.cost);
        QCOMPARE(a.nll(), b.nll());
    }

private Q_SLOTS:
    void initTestCase() {
        test::Toy().write(folder_.path() / "model");
        Progress progress;
        statistics_ = std::make_shared<Statistics>(calibrate(open().model(), test::text, {}, {}, progress));
        stop_.request_stop();
    }

    void rankings_data() {
        QTest::addColumn<QString>("criterion");
        for (const Criterion* c : every_criterion())
            if (!c->needs.instant()) QTest::newRow(c->name.c_str()) << QString::fromStdString(c->name);
    }
    void rankings() {
        QFETCH(const QString, criterion);
        const std::string name = criterion.toStdString();
        const Study first = open(), again = open();
        SelectionInput input = input_of(first, nullptr);
        input.repair = "linearpatch";
        const Ranking made = first.rank(input, name, 2);
        input = input_of(again, &stopped_);
        input.repair = "linearpatch";
        const Ranking found = again.rank(input, name, 2);
        QCOMPARE(found.criterion, name);
        QCOMPARE(found.removed, made.removed);
        QCOMPARE(found.scores, made.scores);
        QCOMPARE(found.order, made.order);
        QCOMPARE(found.higher_is_better, made.higher_is_better);
        QCOMPARE(found.blocks, made.blocks);
        QCOMPARE(found.parameters, made.parameters);
        QCOMPARE(found.merged.has_value(), name == "laco");
        if (made.merged) QCOMPARE(found.merged->to_json(), made.merged->to_json());  // digests of the tensors
    }

    void rankings_of_other_inputs_are_others() {
        const Study study = open();
        const SelectionInput input = input_of(study, nullptr);
        const Key key = ranking_key(input, "sleb", 2);
        QVERIFY(ranking_key(input, "sleb", 1) != key);
        QVERIFY(ranking_key(input, "ppl", 2) != key);
        SelectionInput other = input;
        other.protection.layers = LayerSet({2});
        QVERIFY(ranking_key(other, "sleb", 2) != key);
        other = input;
        const Windows text = test::toy_windows(4, 24, 8);
        other.windows = &text;
        QVERIFY(ranking_key(other, "sleb", 2) != key);
        other = input;
        other.compute.dtype = "bfloat16";
        QVERIFY(ranking_key(other, "sleb", 2) != key);
        other = input;
        other.repair = "ridge";
        QVERIFY(ranking_key(other, "sleb", 2) == key);  // it does not ask for a repair
        QVERIFY(ranking_key(other, "patched", 2) != ranking_key(input, "patched", 2));
    }

    void searches_data() {
        QTest::addColumn<QString>("repair");
        QTest::newRow("without repair") << "none";
        QTest::newRow("with a fitted one") << "ridge";
    }
    void searches() {
        QFETCH(const QString, repair);
        const Study first = open(), again = open();
        SelectionInput input = input_of(first, nullptr);
        input.repair = repair.toStdString();
        const Budget budget = Budget::of(*first, "layers", 2);
        const SearchResult made = first.search(input, budget, {});
        QVERIFY(made.complete && made.chosen);

        input = input_of(again, &stopped_);
        input.repair = repair.toStdString();
        int told = 0;
        const SearchResult found = again.search(input, budget, {}, [&](const SearchResult&) { ++told; });
        QCOMPARE(told, 1);
        QVERIFY(found.complete && found.chosen);
        same(*found.chosen, *made.chosen);
        QCOMPARE(found.best.size(), made.best.size());
        for (const auto& [size, set] : made.best) same(found.best.at(size), set);
        QCOMPARE(found.to_json(), made.to_json());
    }

    void what_was_stopped_is_not_kept() {
        const Study study = open();
        const SelectionInput input = input_of(study, &stopped_);
        const Budget budget = Budget::of(*study, "layers", 3);
        QVERIFY(!study.search(input, budget, {}).complete);
        QVERIFY_THROWS_EXCEPTION(Cancelled, study.rank(input, "sleb", 3));
        Progress progress;
        QVERIFY(study.search(input_of(study, &progress), budget, {}).complete);
    }
};

SUTURE_SUITE(TestStoredChoices)
#include "test_stored_choices.moc"
