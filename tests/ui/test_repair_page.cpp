// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of repair in the window: chosen, recommended, trained, imported, exported.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>

#include "tests/support/suites.h"
#include "tests/support/zero_llama.h"
#include "tests/ui/shown_page.h"
#include "ui/pages/export_page.h"
#include "ui/pages/patch_page.h"
#include "ui/pages/repair_page.h"

using namespace suture;
using namespace suture::test;

namespace {

enum View { recommend_view, finetune_view };

void choose(QComboBox* combo, const char* data) {
    combo->setCurrentIndex(combo->findData(QLatin1String(data)));
    Q_EMIT combo->activated(combo->currentIndex());
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

class RepairPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<ShownPage<RepairPage>>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() {
        shown_->start_again();
        shown_->sample.calibrate();
        shown_->settle();
    }

    void kinds_show_their_own_settings() {
        PatchPage page(shown_->sample.session, shown_->sample.results);
        page.resize(950, 750);
        page.show();
        const auto hidden = [&](const char* name) { return page.findChild<QWidget*>(QLatin1String(name))->isHidden(); };
        auto* kind = page.findChild<QComboBox*>(QStringLiteral("patch.kind"));
        QCOMPARE(kind->count(), int(repair_kinds().size()));
        for (const RepairInfo& info : repair_kinds()) {
            choose(kind, info.name.c_str());
            page.refresh();
            QCOMPARE(hidden("patch.ridge"), !info.ridge);
            QCOMPARE(hidden("patch.ridge_search"), !info.ridge);
            QCOMPARE(hidden("patch.definition"), !info.definition);
            QCOMPARE(hidden("patch.massive"), !info.fitted);
            QCOMPARE(hidden("patch.rank"), info.name != "low-rank");
            QCOMPARE(hidden("patch.cascade"), info.name != "cascade" && info.name != "cascade-attention");
            QVERIFY(hidden("patch.fit"));  // there is one seam
            shown_->settle();
            QVERIFY2(shown_->sample.results.repaired.fresh(), info.name.c_str());
            page.refresh();
            shown_->settle();  // the pictures
            const auto figures = page.figures();
            QCOMPARE(figures[0].map.has_value(), info.fitted && !info.edits);
            if (info.edits) QVERIFY2(contains(figures[0].empty, "down projection"), figures[0].empty.c_str());
            QCOMPARE(page.tables()[0].rows.empty(), !info.fitted);
        }
        choose(kind, "cascade");
        page.findChild<QSpinBox*>(QStringLiteral("patch.cascade"))->setValue(1);
        QCOMPARE(shown_->sample.session.document().settings.repair.cascade, std::int64_t(1));
        choose(page.findChild<QComboBox*>(QStringLiteral("patch.massive")), "mask");
        QCOMPARE(shown_->sample.session.document().settings.repair.massive, std::string("mask"));
    }

    void a_refusal_is_a_sentence_in_place() {
        PatchPage page(shown_->sample.session, shown_->sample.results);
        QSignalSpy failed(&shown_->sample.results, &Results::failed);
        Document after = shown_->sample.session.document();
        after.removed = LayerSet({0, 1});  // no layer is left in front of the seam
        after.choose_repair("refit");
        shown_->sample.session.change(after, "Refused");
        shown_->settle();
        const std::string refusal = repair_refusal("refit", **shown_->sample.session.study(), after.removed);
        QVERIFY(!refusal.empty());
        page.refresh();
        QCOMPARE(page.figures()[0].empty, refusal + ".");
        QCOMPARE(page.findChild<QLabel*>(QStringLiteral("patch.note"))->text().toStdString(), refusal);
        QVERIFY(failed.empty());
        shown_->sample.results.evaluate();  // leaves out what can't be measured
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.results.evaluation.fresh(), 60000);
        for (const EvaluationRow& row : shown_->sample.results.evaluation_rows()) QVERIFY(row.kind != "refit");
    }

    void all_kinds_are_tried_and_one_is_taken() {
        shown_->show(recommend_view);
        auto* adopt = shown_->part<QPushButton>("repair.recommend.adopt");
        QVERIFY(!adopt->isEnabled());
        shown_->part<QCheckBox>("repair.recommend.each")->setChecked(true);
        auto* button = shown_->part<QPushButton>("repair.recommend.button");
        QVERIFY2(button->text().contains("about"), qPrintable(button->text()));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(!shown_->part<QLabel>("repair.recommend.reason")->text().isEmpty(), 120000);
        shown_->settle();
        const Table trials = shown_->page->tables()[0];
        std::size_t ridge = 0;
        for (const RepairInfo& info : repair_kinds()) ridge += info.ridge ? 1 : 0;
        QCOMPARE(trials.rows.size(), repair_kinds().size() + 2 * ridge);  // massive tokens in three ways
        QVERIFY(shown_->page->figures()[0].empty.empty());
        auto* table = shown_->part<TableView>("repair.recommend.trials");
        std::size_t left_out = 0;
        for (std::size_t r = 0; r < trials.rows.size(); ++r)
            if (trials.text(r, 0) == "Refitted down projection" && trials.text(r, 1) == "left out") left_out = r;
        QVERIFY(left_out > 0);
        Q_EMIT table->doubleClicked(table->model()->index(int(left_out), 0));
        shown_->settle();
        QCOMPARE(shown_->sample.session.document().repair, std::string("refit"));
        QCOMPARE(shown_->sample.session.document().settings.repair.massive, std::string("mask"));
        QVERIFY(shown_->part<QLabel>("repair.recommend.stale")->isHidden());  // the same comparison as before
        shown_->sample.session.remove_layers(LayerSet({6}));
        shown_->settle();
        QVERIFY(!shown_->part<QLabel>("repair.recommend.stale")->isHidden());
        QVERIFY(!adopt->isEnabled());
    }

    void only_ticked_kinds_are_tried() {
        shown_->show(recommend_view);
        Document d = shown_->sample.session.document();
        d.repairs = {"none"};
        shown_->sample.session.change(d, "Ticks");
        shown_->part<QCheckBox>("repair.recommend.each")->setChecked(false);
        shown_->part<QCheckBox>("repair.recommend.ticked")->setChecked(true);
        shown_->settle();
        auto* button = shown_->part<QPushButton>("repair.recommend.button");
        QVERIFY(!button->isEnabled() && button->toolTip().contains(QStringLiteral("Tick a repair")));
        d.repairs = {"none", "channel", "ridge"};
        shown_->sample.session.change(d, "Ticks");
        shown_->settle();
        button->click();
        QTRY_COMPARE_WITH_TIMEOUT(shown_->page->tables()[0].rows.size(), std::size_t(3), 60000);
        shown_->part<QCheckBox>("repair.recommend.ticked")->setChecked(false);
    }

    void training_needs_windows() {
        shown_->show(finetune_view);
        auto* button = shown_->part<QPushButton>("repair.finetune.button");
        QVERIFY(!button->isEnabled() && button->toolTip().contains(QStringLiteral("too few")));
        Document after = shown_->sample.session.document();
        after.choose_repair("none");
        shown_->sample.session.change(after, "None");
        shown_->settle();
        QVERIFY(!button->isEnabled() && button->toolTip().contains(QStringLiteral("Choose a repair")));
    }

    void a_trained_repair_is_in_force_until_its_conditions_change() {
        train(2, 0);
        const Results& results = shown_->sample.results;
        QTRY_VERIFY_WITH_TIMEOUT(results.finetuning.live.fresh(), 60000);
        shown_->settle();
        const auto run = results.finetuning.live.value();
        QVERIFY(run->curve.size() >= 2 && run->best > 0);
        QCOMPARE(results.repair_label(), std::string("LinearPatch, fine-tuned"));
        QVERIFY(results.repaired.fresh() && results.repaired.value()->settings.contains("finetuned"));
        QCOMPARE(results.shown_patch()->map, run->repaired.patches[0].map);
        QVERIFY(shown_->page->figures()[1].empty.empty() && !shown_->page->tables()[1].rows.empty());
        QVERIFY(!shown_->part<QLabel>("repair.finetune.cost")->text().isEmpty());
        shown_->sample.results.evaluate();
        QTRY_VERIFY_WITH_TIMEOUT(results.evaluation.fresh(), 60000);
        const auto rows = results.evaluation_rows();
        QCOMPARE(rows.back().kind, std::string("linearpatch_finetuned"));
        QCOMPARE(rows.back().label, std::string("LinearPatch, fine-tuned"));
        QVERIFY(std::isnan(rows.back().error_median));  // known of the fit only
        QVERIFY(rows.back().evaluation->perplexity() != rows[rows.size() - 2].evaluation->perplexity());

        auto* use = shown_->part<QCheckBox>("repair.finetune.use");
        use->click();
        shown_->settle();
        QCOMPARE(results.repair_label(), std::string("LinearPatch"));
        QVERIFY(results.repaired.fresh() && !results.repaired.value()->settings.contains("finetuned"));
        use->click();
        shown_->settle();
        QVERIFY(results.finetuned());
        shown_->sample.session.remove_layers(LayerSet({6}));
        shown_->settle();
        QVERIFY(!results.finetuned());
        QVERIFY(!shown_->part<QLabel>("repair.finetune.stale")->isHidden());
        shown_->sample.session.undo_stack().undo();
        shown_->settle();
        QVERIFY(results.finetuned());
    }

    void stopping_keeps_the_best() {
        train(100000, 0);
        Results& results = shown_->sample.results;
        QTRY_VERIFY_WITH_TIMEOUT(results.finetuning.version() >= 3, 60000);
        auto* button = shown_->part<QPushButton>("repair.finetune.button");
        QCOMPARE(button->text(), QStringLiteral("Stop and keep the best"));
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(!results.finetuning.live.running(), 30000);
        shown_->settle();
        QVERIFY(results.finetuning.live.fresh());
        QVERIFY(results.finetuning.live.value()->cancelled);
        QVERIFY(shown_->part<QLabel>("repair.finetune.outcome")->text().startsWith(QStringLiteral("Stopped by hand.")));
    }

    void forms_that_a_repair_lacks_can_not_be_chosen() {
        ExportPage page(shown_->sample.session, shown_->sample.results);
        auto* form = page.findChild<QComboBox*>(QStringLiteral("export.form"));
        auto* needs = page.findChild<QLabel*>(QStringLiteral("export.needs"));
        const auto possible = [&](const char* name) {
            return qobject_cast<QStandardItemModel*>(form->model())->item(form->findData(QLatin1String(name)))->isEnabled();
        };
        const auto with = [&](const char* kind) {
            choose(page.findChild<QComboBox*>(QStringLiteral("export.repair")), kind);
            shown_->settle();
            page.refresh();
            shown_->settle();
            page.refresh();
        };
        with("linearpatch");
        QVERIFY(!possible("stock") && possible("patched") && possible("rotated"));
        QVERIFY(needs->text().contains(QStringLiteral("trust_remote_code")));
        choose(form, "rotated");
        QCOMPARE(shown_->sample.session.document().settings.export_.form, std::string("rotated"));
        page.refresh();
        const bool tied = (**shown_->sample.session.study()).architecture().tied;
        QCOMPARE(needs->text().contains(QStringLiteral("tied")), tied);
        choose(form, "auto");
        with("refit");
        QVERIFY(possible("stock") && !possible("rotated"));
        QVERIFY(!needs->text().contains(QStringLiteral("trust_remote_code")));
        with("stock-layer");
        QVERIFY(needs->text().contains(QStringLiteral("one layer")));
        const Table changes = page.tables()[1];
        bool layers = false;
        for (std::size_t r = 0; r < changes.rows.size(); ++r)
            layers = layers || (changes.text(r, 0) == "num_hidden_layers" && changes.text(r, 2) == "13");  // 16 − 4 + 1
        QVERIFY(layers);
    }

    void published_scales_choose_their_layers() {
        const TemporaryFolder folder;
        llama_of_zeros(folder.path() / "model", 32);  // what the published scripts' file among the test data fits
        SampleSession other;
        other.session.open(folder.path() / "model");
        QTRY_VERIFY_WITH_TIMEOUT(other.session.study() != nullptr, 10000);
        other.results.import_scales(data("checkpoint/torch/patch.pt"));
        QTRY_COMPARE(other.session.document().removed, LayerSet::range(21, 9));
        QTRY_VERIFY(other.results.repaired.fresh());
        QCOMPARE(other.results.repair_label(), std::string("LinearPatch, imported from patch.pt"));
        QCOMPARE(other.results.shown_patch()->seam, (Seam{21, 30}));
        other.session.remove_layers(LayerSet({3}));  // not what the file is for
        QCOMPARE(other.results.repair_label(), std::string("LinearPatch"));
        other.session.undo_stack().undo();
        QVERIFY(other.results.imported());
        other.session.undo_stack().undo();
        QVERIFY(other.session.document().removed.empty());
    }

    void scales_of_another_model_change_nothing() {
        const Document before = shown_->sample.session.document();
        QSignalSpy failed(&shown_->sample.results, &Results::failed);
        shown_->sample.results.import_scales(data("checkpoint/torch/patch.pt"));
        QTRY_COMPARE(int(failed.size()), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("patch.pt")));
        QVERIFY(shown_->sample.session.document() == before);
    }

private:
    /// Starts training on a dozen windows.
    void train(int epochs, double minutes) {
        Document after = shown_->sample.session.document();
        after.settings.windows.windows = 12;
        after.settings.distillation.validation = 4;
        after.settings.distillation.validate_every = 1;
        after.settings.distillation.epochs = epochs;
        after.settings.distillation.minutes = minutes;
        shown_->sample.session.change(after, "Train");
        shown_->sample.calibrate();
        shown_->settle();
        shown_->show(finetune_view);
        auto* button = shown_->part<QPushButton>("repair.finetune.button");
        QTRY_VERIFY2(button->isEnabled(), qPrintable(button->toolTip()));
        button->click();
        QVERIFY(shown_->sample.results.finetuning.live.running());
    }

    std::unique_ptr<ShownPage<RepairPage>> shown_;
};

SUTURE_SUITE(RepairPageTest)
#include "test_repair_page.moc"
