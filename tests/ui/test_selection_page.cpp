// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QtTest/QtTest>

#include "tests/support/suites.h"
#include "tests/ui/shown_selection.h"
#include "ui/session/live_preview.h"
#include "ui/widgets/layer_strip.h"

using namespace suture;
using namespace suture::test;

class SelectionPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<Selection>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() { shown_->start_again(); }

    void instant_criteria_answer_at_once() {
        const auto rows = shown_->page->board().rows();
        QCOMPARE(rows.size(), every_criterion().size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool instant = every_criterion()[i]->needs.instant();
            QCOMPARE(rows[i].ranking != nullptr, instant);
            if (instant) QCOMPARE(rows[i].ranking->removed.size(), 4);
            else QCOMPARE(rows[i].state, std::string("not run"));
        }
        const Figure strips = shown_->page->figures()[0];
        QCOMPARE(strips.map->values.shape, (std::vector<std::int64_t>{std::int64_t(rows.size()), sample_layers}));
        QCOMPARE(shown_->page->figures()[1].y.labels.size(), criteria().size());
        QVERIFY(!shown_->page->figures()[2].empty.empty());  // nothing is measured yet
    }

    void a_row_is_adopted_and_undone() {
        shown_->sample.session.remove_layers(LayerSet({1, 14}));
        shown_->settle();
        auto* view = shown_->part<TableView>("selection.sets");
        auto* adopt = shown_->part<QPushButton>("selection.adopt");
        const int row = shown_->row("Angular");
        const LayerSet proposed = shown_->page->board().rows()[2].ranking->removed;
        view->setCurrentIndex(view->model()->index(row, 0));
        QVERIFY(adopt->isEnabled() && adopt->text().contains(QString::fromStdString(proposed.words())));
        adopt->click();
        QCOMPARE(shown_->removed(), proposed);
        shown_->sample.session.undo_stack().undo();
        QCOMPARE(shown_->removed(), LayerSet({1, 14}));
        Q_EMIT view->doubleClicked(view->model()->index(row, 1));
        QCOMPARE(shown_->removed(), proposed);
        shown_->settle();
        view->setCurrentIndex(view->model()->index(shown_->row("SLEB"), 0));
        QVERIFY(!adopt->isEnabled());  // it has not been run, so it removes nothing
        Q_EMIT view->doubleClicked(view->currentIndex());
        QCOMPARE(shown_->removed(), proposed);
    }

    void a_sorted_table_still_adopts_the_row_that_is_clicked() {
        auto* view = shown_->part<TableView>("selection.sets");
        view->sortByColumn(0, Qt::DescendingOrder);
        const int row = shown_->row("Update norm");
        const QString words = view->model()->index(row, 1).data().toString();
        Q_EMIT view->doubleClicked(view->model()->index(row, 0));
        QCOMPARE(QString::fromStdString(shown_->removed().words()), words);
        view->sortByColumn(-1, Qt::AscendingOrder);
    }

    void a_click_on_a_strip_adopts_it() {
        shown_->sample.session.remove_layers(LayerSet({1, 14}));
        shown_->settle();
        Q_EMIT shown_->part<PlotWidget>("selection.strips")->clicked_at(3, 1);
        QCOMPARE(shown_->removed(), shown_->page->board().rows()[1].ranking->removed);
    }

    void a_costly_criterion_is_a_job_and_goes_stale() {
        auto* button = shown_->part<QPushButton>("selection.criteria.magnitude");
        QVERIFY2(button->isEnabled(), qPrintable(button->toolTip()));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->page->board().ranking(criterion_named("magnitude")).fresh(), 60000);
        shown_->settle();
        QVERIFY(!button->isEnabled());  // there is nothing more to ask
        QCOMPARE(shown_->cell("Magnitude", 5), QStringLiteral("not measured"));
        shown_->choose([](Document& d) { d.block_length = 3; });
        QVERIFY(shown_->cell("Magnitude", 5).startsWith(QStringLiteral("stale")));
        QVERIFY(button->isEnabled());
        QVERIFY(shown_->cell("Cosine block", 1) != QStringLiteral("–"));
    }

    void criteria_with_gradients_tell_their_memory() {
        QTRY_VERIFY(shown_->page->board().memory("taylor").has_value());
        shown_->page->refresh();
        QVERIFY(shown_->part<QPushButton>("selection.criteria.taylor")->text().contains(QStringLiteral("B)")));  // MB or GB
        QVERIFY(shown_->part<QLabel>("selection.criteria.memory")->text().contains(QStringLiteral("of memory")));
        shown_->choose([](Document& d) { d.settings.compute.memory = 1e-6; });
        QTRY_VERIFY(shown_->page->board().memory("taylor").has_value());
        shown_->page->refresh();
        QVERIFY(!shown_->part<QPushButton>("selection.criteria.taylor")->isEnabled());
        QVERIFY(shown_->page->board().obstacle(criterion_named("taylor")).contains(QStringLiteral("fewer windows")));
    }

    void a_merge_is_adopted_measured_and_undone() {
        shown_->choose([](Document& d) { d.selection.windows = 1; });
        shown_->part<QPushButton>("selection.criteria.laco")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->page->board().ranking(criterion_named("laco")).fresh(), 60000);
        shown_->settle();
        auto* view = shown_->part<TableView>("selection.sets");
        auto* adopt = shown_->part<QPushButton>("selection.adopt");
        view->setCurrentIndex(view->model()->index(shown_->row("LaCo"), 0));
        QVERIFY2(adopt->isEnabled() && adopt->text().startsWith("Merge away"), qPrintable(adopt->text()));
        const LayerSet before = shown_->removed();
        adopt->click();
        shown_->settle();
        auto& results = shown_->sample.results;
        const auto made = results.repaired.fresh_value();
        QVERIFY(made && !made->variant.edits().empty());  // kept layers took up the removed ones
        QCOMPARE(made->variant.removed(), shown_->removed());
        QCOMPARE(results.repair_label(), std::string("LaCo merge"));
        QVERIFY(!adopt->isEnabled());
        shown_->choose([](Document& d) { d.repairs = {"none"}; });
        results.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(results.evaluation.fresh(), 60000);
        shown_->part<QPushButton>("selection.measure.button")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->page->board().measure_job().fresh(), 120000);
        shown_->settle();
        const auto rows = results.evaluation_rows();
        QCOMPARE(rows.back().kind, std::string("merged"));
        QCOMPARE(rows.back().label, std::string("LaCo merge"));
        QVERIFY(rows.back().evaluation->perplexity() != rows[1].evaluation->perplexity());
        const KnownSet chosen = shown_->page->board().sets().front();
        QVERIFY(chosen.merged && !chosen.patched);
        QCOMPARE(chosen.unpatched->perplexity(), rows.back().evaluation->perplexity());
        TemporaryFolder folder;
        shown_->choose([&](Document& d) { d.export_folder = folder.path() / "merged"; });
        results.export_model();
        QTRY_VERIFY_WITH_TIMEOUT(results.exported.fresh(), 60000);
        QVERIFY(results.exported.value()->equal());
        shown_->choose([](Document& d) { d.choose_repair("channel"); });  // a person may still want another one
        QCOMPARE(results.repair_label(), std::string("Channel scaling d"));
        shown_->sample.session.undo_stack().undo();
        QCOMPARE(results.repair_label(), std::string("LaCo merge"));
        while (shown_->removed() != before) shown_->sample.session.undo_stack().undo();
        shown_->settle();
        QVERIFY(!results.imported());
    }

    void a_set_without_its_merge_is_another() {
        KnownSet set{.by = "Cosine block", .removed = LayerSet({5, 6})};
        shown_->choose([](Document& d) { d.merge = "some merge"; });
        shown_->page->board().adopt(set);
        QVERIFY(shown_->page->board().is_chosen(set));
        QVERIFY(shown_->sample.session.document().merge.empty());
        set.merged = true;
        QVERIFY(!shown_->page->board().is_chosen(set));
    }

    void states_are_shown_whole() {
        shown_->page->resize(1050, 750);
        shown_->settle();
        auto* view = shown_->part<TableView>("selection.sets");
        const auto metrics = view->fontMetrics();
        for (const char* state : {"not measured", "measured", "not run", "running"})
            QVERIFY2(view->columnWidth(5) >= metrics.horizontalAdvance(QLatin1String(state)) + 8, state);
    }

    void protected_layers_stay() {
        shown_->choose([](Document& d) { d.selection.protection.layers = LayerSet({2, 5, 8, 11}); });
        for (const CriterionRow& row : shown_->page->board().rows())
            if (row.ranking && !row.stale)
                for (const int layer : {2, 5, 8, 11}) QVERIFY2(!row.ranking->removed.contains(layer), row.label.c_str());
        QVERIFY(shown_->part<QLabel>("selection.search.protected")->text().contains(QStringLiteral("2, 5, 8 and 11")));
        // No 4 layers in a row are left, so criteria of blocks have no answer and say why.
        QVERIFY(!shown_->page->board().rows()[0].ranking);
        QVERIFY(shown_->cell("Cosine block", 5).contains(QStringLiteral("in a row")));
        QVERIFY(!shown_->sample.results.is_best_block());
    }

    void measured_costs_are_those_of_an_evaluation() {
        shown_->choose([](Document& d) { d.repairs = {"none", "linearpatch"}; });
        shown_->part<QPushButton>("selection.measure.button")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->page->board().measure_job().fresh(), 120000);
        shown_->sample.results.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.results.evaluation.fresh(), 60000);
        shown_->settle();
        const auto rows = shown_->sample.results.evaluation_rows();
        const KnownSet chosen = shown_->page->board().sets().front();
        QCOMPARE(chosen.by, std::string("chosen now"));
        QCOMPARE(shown_->page->board().conditions().dense->perplexity(), rows[0].evaluation->perplexity());
        QCOMPARE(chosen.unpatched->perplexity(), rows[1].evaluation->perplexity());
        QCOMPARE(chosen.patched->perplexity(), rows[2].evaluation->perplexity());
        QVERIFY(shown_->cell("Block influence", 3) != QStringLiteral("–"));
        QCOMPARE(shown_->cell("Block influence", 5), QStringLiteral("measured"));
        const Figure cost = shown_->page->figures()[2];
        QVERIFY(cost.series.size() >= 2 && cost.guides.size() == 1);
        // A click on a point makes its layers the selection.
        const LayerSet meant = shown_->page->board().rows()[3].ranking->removed;
        shown_->sample.session.remove_layers(LayerSet({1, 14}));
        shown_->settle();
        for (const KnownSet& set : shown_->page->board().sets())
            if (set.by == "Block influence")
                Q_EMIT shown_->part<PlotWidget>("selection.cost")->clicked_at(sample_layers - 4, set.patched->perplexity());
        QCOMPARE(shown_->removed(), meant);
        shown_->choose([](Document& d) { d.repair = "channel"; });
        QVERIFY(shown_->page->board().conditions().stale);
    }

    void the_selection_in_words_of_other_tools() {
        shown_->sample.session.remove_layers(LayerSet({3, 4, 9}));
        shown_->settle();
        shown_->part<QPushButton>("selection.share.prune_layers")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("3,4,9"));
        shown_->part<QPushButton>("selection.share.mergekit")->click();
        for (const char* range : {"layer_range: [0, 3]", "layer_range: [5, 9]", "layer_range: [10, 16]"})
            QVERIFY(QGuiApplication::clipboard()->text().contains(QLatin1String(range)));
        shown_->sample.session.remove_layers({});
        shown_->settle();
        QVERIFY(!shown_->part<QPushButton>("selection.share.mergekit")->isEnabled());
    }

    void the_page_works_without_calibration() {
        SampleSession other;
        SelectionPage page(other.session, other.results);
        page.show();
        QVERIFY(!page.figures()[0].empty.empty() && page.figures()[0].empty.find("Calibrate") == 0);
        other.open();
        page.refresh();
        QVERIFY(page.figures()[0].empty.find("Calibrate") == 0);
        QVERIFY(page.board().why_not_search().contains(QStringLiteral("Calibrate")));
        QVERIFY(page.board().obstacle(criterion_named("magnitude")).isEmpty());  // weights are there
        Document one = other.session.document();
        one.selection.repair = false;
        one.removed = LayerSet({5});
        one.block_length = 1;
        other.session.change(one, "One layer");
        page.refresh();
        QVERIFY(page.board().why_not_search().isEmpty());
        page.board().rank(criterion_named("magnitude"));
        QTRY_VERIFY_WITH_TIMEOUT(page.board().ranking(criterion_named("magnitude")).fresh(), 60000);
        page.refresh();
        QVERIFY(page.figures()[0].map.has_value());
        QCOMPARE(page.board().rows()[0].state, std::string("needs a calibration"));
        QCOMPARE(page.board().sets().front().removed, LayerSet({5}));
    }

    void the_choice_is_part_of_the_document() {
        Document d;
        d.selection.protection = {LayerSet({2, 3}), 2, true};
        d.selection.criteria.angular = "all";
        d.selection.search.beam = 7;
        d.selection.unit = "bytes";
        d.selection.amount = 5e6;
        d.selection.layers_ms = 7;
        d.selection.repair = false;
        d.selection.windows = 3;
        const SelectionChoice read = Document::from_json(d.to_json()).selection;
        QCOMPARE(read.to_json(), d.selection.to_json());
        QVERIFY(!(Document() == d));
    }

    void the_strip_protects_layers() {
        LayerStrip strip;
        strip.set_layers(std::vector<LayerStripRow>(4), QString());
        strip.show();
        QList<LayerSet> told;
        connect(&strip, &LayerStrip::protected_changed, this, [&](const LayerSet& layers) { told << layers; });
        QTest::keyClick(&strip, Qt::Key_Down);
        QTest::keyClick(&strip, Qt::Key_P);
        QCOMPARE(told.last(), LayerSet({1}));
        QVERIFY(strip.accessibleDescription().contains(QStringLiteral("protected")));
        QTest::keyClick(&strip, Qt::Key_P);
        QVERIFY(told.last().empty() && told.size() == 2 && strip.removed().empty());
        strip.set_protected(LayerSet({2}));
        QCOMPARE(told.size(), 2);  // setting is not choosing
    }

private:
    std::unique_ptr<Selection> shown_;
};

SUTURE_SUITE(SelectionPageTest)
#include "test_selection_page.moc"
