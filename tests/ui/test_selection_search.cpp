// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QtTest/QtTest>

#include "tests/support/suites.h"
#include "tests/ui/shown_selection.h"

using namespace suture;
using namespace suture::test;

class SelectionSearchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<Selection>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() { shown_->start_again(); }

    void a_search_fills_the_slider() {
        shown_->choose([](Document& d) { make_small(d.selection); });
        auto& board = shown_->page->board();
        shown_->part<QPushButton>("selection.search.button")->click();
        QTRY_VERIFY_WITH_TIMEOUT(board.search_job().fresh(), 60000);
        shown_->settle();
        const auto found = board.found();
        QVERIFY(found->complete && found->best.contains(1) && found->best.contains(2));
        QCOMPARE(board.best_known(2).removed, found->best.at(2).removed);
        QVERIFY(shown_->row("search, 1 layer") >= 0 && shown_->row("search, 2 layers") >= 0);
        auto* slider = shown_->part<QSlider>("selection.slider");
        QCOMPARE(slider->value(), 4);
        slider->setSliderDown(true);
        slider->setValue(1);
        QCOMPARE(shown_->removed().size(), 4);  // dragging only shows
        QVERIFY(shown_->part<QLabel>("selection.slider_note")->text().contains(QStringLiteral("search")));
        const auto outlined = shown_->part<PlotWidget>("selection.strips")->figure().spans;
        QVERIFY(outlined.size() == 1 && int(outlined[0].from) == found->best.at(1).removed.layers()[0]);
        slider->setSliderDown(false);
        QCOMPARE(shown_->removed(), found->best.at(1).removed);
        shown_->settle();
        slider->setValue(3);  // no search went there: a criterion's block
        QCOMPARE(shown_->removed().size(), 3);
        shown_->sample.session.undo_stack().undo();
        QCOMPARE(shown_->removed(), found->best.at(1).removed);
        shown_->choose([](Document& d) { d.selection.search.method = "beam"; });
        QVERIFY(board.search_stale() && shown_->cell("search, 1 layer", 5).startsWith(QStringLiteral("stale")));
    }

    void a_stopped_search_keeps_what_it_found() {
        shown_->choose([](Document& d) {
            make_small(d.selection);
            d.selection.amount = 14;
            d.selection.windows = 0;
            d.selection.search.method = "beam";
            d.selection.search.beam = 64;  // long enough to be stopped
            d.selection.search.screen = 1;
        });
        auto& board = shown_->page->board();
        auto* button = shown_->part<QPushButton>("selection.search.button");
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(board.found() && !board.search_stale() && board.found()->best.size() > 2, 60000);
        shown_->page->refresh();
        QVERIFY(board.search_job().running());
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        QVERIFY(shown_->row("search, 1 layer") >= 0);  // shown while it runs
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(!board.search_job().running(), 10000);
        shown_->settle();
        QVERIFY(!board.search_job().fresh() && board.search_stopped());
        QVERIFY(board.found()->best.size() > 2);
        QVERIFY(shown_->row("search, 1 layer") >= 0);
        QVERIFY(shown_->part<QLabel>("selection.search.found")->text().startsWith(QStringLiteral("Stopped")));
    }

    void budgets_change_unit_and_keep_their_worth() {
        shown_->choose([](Document& d) { d.selection.amount = 4; });
        auto* unit = shown_->part<QComboBox>("selection.search.unit");
        unit->setCurrentIndex(unit->findData(QStringLiteral("parameters")));
        Q_EMIT unit->activated(unit->currentIndex());
        const Model& model = **shown_->sample.session.study();
        const SelectionChoice& choice = shown_->sample.session.document().selection;
        QCOMPARE(choice.unit, std::string("parameters"));
        QVERIFY(std::abs(choice.amount - 4.0 * double(model.layer_parameters(0))) <= 1000);  // all layers of the sample are alike
        unit->setCurrentIndex(0);
        Q_EMIT unit->activated(0);
        QCOMPARE(shown_->sample.session.document().selection.amount, 4.0);
    }

    void budgets_in_milliseconds_need_the_time_of_all_layers() {
        shown_->choose([](Document& d) {
            make_small(d.selection);
            d.selection.amount = 2;
        });
        auto* unit = shown_->part<QComboBox>("selection.search.unit");
        auto* all = shown_->part<QDoubleSpinBox>("selection.search.layers_ms");
        QVERIFY(!all->isEnabled());
        unit->setCurrentIndex(unit->findData(QStringLiteral("milliseconds")));
        Q_EMIT unit->activated(unit->currentIndex());
        shown_->settle();
        QVERIFY(all->isEnabled());
        QVERIFY(shown_->page->board().why_not_search().contains("milliseconds"));
        all->setValue(32);  // 2 ms each: all layers of the sample are alike
        shown_->part<QDoubleSpinBox>("selection.search.amount")->setValue(3.5);
        shown_->settle();
        QVERIFY2(shown_->page->board().why_not_search().isEmpty(), qPrintable(shown_->page->board().why_not_search()));
        shown_->part<QPushButton>("selection.search.button")->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->page->board().search_job().fresh(), 60000);
        const auto found = shown_->page->board().found();
        QCOMPARE(found->chosen->removed.size(), 2);
        QCOMPARE(found->chosen->cost, 4.0);
        QCOMPARE(shown_->sample.session.document().selection.layers_ms, 32.0);
        unit->setCurrentIndex(0);
        Q_EMIT unit->activated(0);
        QCOMPARE(shown_->sample.session.document().selection.amount, 2.0);  // 3.5 of 32 ms are 1.75 of 16 layers
    }

private:
    std::unique_ptr<Selection> shown_;
};

SUTURE_SUITE(SelectionSearchTest)
#include "test_selection_search.moc"
