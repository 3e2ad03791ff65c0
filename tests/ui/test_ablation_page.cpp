// SPDX-License-Identifier: GPL-3.0-or-later
// The Ablation page: what its controls ask for is what core runs, live, stoppable, and in words of other programs.
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "tests/support/suites.h"
#include "tests/ui/shown_page.h"
#include "ui/pages/ablation_form.h"
#include "ui/pages/ablation_page.h"
#include "ui/pages/ablation_slices.h"
#include "ui/pages/ablation_sources.h"
#include "ui/session/ablation_json.h"
#include "ui/widgets/check_table.h"

using namespace suture;
using namespace suture::test;

namespace {

struct Shown : ShownPage<AblationPage> {
    AblationSpec spec() { return ablation_spec(sample.session.document(), sample.session.layers()); }
    QPushButton* button() { return part<QPushButton>("ablation.button"); }
    void type(const char* line, const QString& text) {
        auto* edit = part<QLineEdit>(line);
        edit->setText(text);
        Q_EMIT edit->editingFinished();
        settle();
    }
    void tick(const char* table, const QString& name, int box) {
        auto* boxes = part<CheckTable>(table);
        for (int row = 0; row < boxes->rowCount(); ++row)
            if (boxes->item(row, 0)->text() == name) {
                auto* item = boxes->item(row, box);
                item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
                return settle();
            }
        qFatal("no such line");
    }
    /// Two repairs at 2 and 3 removed layers, on short texts of known words.
    void make_small() {
        measure([&](Measures& m) {
            m.ablation.spec = {{"remove", {2, 3}}, {"repairs", {"none", "channel"}}, {"calibration_windows", {1, 2}}};
        });
    }
    void run() {
        button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(sample.session.lanes().idle(), 120000);
        settle();
    }
};

}  // namespace

class AblationPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { shown_ = std::make_unique<Shown>(); }
    void cleanupTestCase() { shown_.reset(); }
    void init() { shown_->start_again(); }

    void without_wishes_it_follows_the_window() {
        const AblationSpec spec = shown_->spec();
        QCOMPARE(spec.models, std::vector<std::filesystem::path>{sample_folder()});
        QCOMPARE(spec.calibration.at(0).name, std::string("sample"));  // one corpus in two files
        QCOMPARE(spec.calibration.at(0).source.text, sample_folder() / "calibration.txt");
        QCOMPARE(spec.evaluation.at(0).name, std::string("sample"));
        QCOMPARE(spec.remove, (std::vector<int>{2, 4, 6}));  // around the four of the document
        QCOMPARE(spec.criteria, std::vector<std::string>{"cosine"});
        QCOMPARE(spec.settings.windows.seqlen, std::int64_t(64));
        Document other = shown_->sample.session.document();
        other.criterion = "angular";
        shown_->sample.session.change(other, "Another criterion");
        QCOMPARE(shown_->spec().criteria, std::vector<std::string>{"angular"});
    }

    void the_number_of_rows_is_said_before() {
        shown_->make_small();
        // One model: dense, and 2 calibrations × 2 choices × 2 repairs.
        QCOMPARE(shown_->spec().rows(), std::int64_t(1 + 2 * 2 * 2));
        QVERIFY2(shown_->part<QLabel>("ablation.size")->text().startsWith("9 rows on 1 text: 1 model"),
                 qPrintable(shown_->part<QLabel>("ablation.size")->text()));
        QVERIFY2(shown_->button()->isEnabled() && shown_->button()->text().startsWith("Run (about"), qPrintable(shown_->button()->text()));
    }

    void controls_write_the_specification() {
        shown_->make_small();
        shown_->type("ablation.remove", "3, 5");
        shown_->type("ablation.layers", "4-6; 2,9");
        shown_->type("ablation.windows", "1 4");
        shown_->tick("ablation.repairs", "Least squares", 2);
        shown_->tick("ablation.repairs", "Channel scaling d", 1);
        shown_->tick("ablation.criteria", "Update norm", 1);
        const AblationSpec spec = shown_->spec();
        QCOMPARE(spec.remove, (std::vector<int>{3, 5}));
        QCOMPARE(spec.layers, (std::vector<std::string>{"4-6", "2,9"}));
        QCOMPARE(spec.calibration_windows, (std::vector<std::int64_t>{1, 4}));
        QCOMPARE(spec.repairs, (std::vector<std::string>{"none", "ridge+ft"}));
        QCOMPARE(spec.criteria, (std::vector<std::string>{"cosine", "update-norm"}));
        QVERIFY(shown_->part<QLabel>("ablation.size")->text().contains("Fine-tuning takes up to"));
        shown_->sample.session.undo_stack().undo();
        QCOMPARE(shown_->spec().criteria, std::vector<std::string>{"cosine"});
    }

    void what_is_wrong_is_the_sentence_of_core() {
        shown_->make_small();
        const auto says = [&](const QString& words) {
            return !shown_->button()->isEnabled() && shown_->part<QLabel>("ablation.state")->text().contains(words);
        };
        shown_->type("ablation.remove", "3, x");
        QVERIFY2(says("\"remove\" should hold whole numbers"), qPrintable(shown_->part<QLabel>("ablation.state")->text()));
        shown_->type("ablation.remove", "15");  // of 16 layers the ends stay
        QVERIFY2(says("15 layers"), qPrintable(shown_->part<QLabel>("ablation.state")->text()));
        shown_->type("ablation.remove", "");
        QVERIFY(says("says what to remove"));
        shown_->type("ablation.remove", "2");
        QVERIFY(shown_->button()->isEnabled());
        shown_->page->form().sources().add_model(shown_->folder.path());
        shown_->settle();
        QVERIFY2(says(QString::fromStdString(shown_->folder.path().string())), qPrintable(shown_->part<QLabel>("ablation.state")->text()));
    }

    void texts_are_named_and_serve_for_one_or_both() {
        shown_->make_small();
        const auto file = shown_->write("psalm.txt", "Have mercy upon me, O LORD; for I am weak.");
        shown_->page->form().sources().add_text(file);
        shown_->settle();
        QCOMPARE(shown_->spec().calibration.size(), std::size_t(2));
        QCOMPARE(shown_->spec().evaluation.at(1).name, std::string("psalm"));
        shown_->tick("ablation.texts", "psalm", 1);
        QCOMPARE(shown_->spec().calibration.size(), std::size_t(1));
        QCOMPARE(shown_->spec().evaluation.size(), std::size_t(2));
        shown_->tick("ablation.texts", "psalm", 2);
        QCOMPARE(shown_->spec().evaluation.size(), std::size_t(1));
        QCOMPARE(shown_->part<CheckTable>("ablation.texts")->rowCount(), 3);  // without a tick it waits
        shown_->tick("ablation.texts", "psalm", 2);
        shown_->part<CheckTable>("ablation.texts")->item(2, 0)->setText("sample");
        shown_->settle();
        QVERIFY(shown_->part<QLabel>("ablation.state")->text().contains("are called \"sample\""));
        shown_->part<CheckTable>("ablation.texts")->setCurrentCell(2, 0);
        shown_->part<QPushButton>("ablation.remove_text")->click();
        shown_->settle();
        QVERIFY(shown_->button()->isEnabled());
        QCOMPARE(shown_->part<CheckTable>("ablation.texts")->rowCount(), 2);
        shown_->sample.session.undo_stack().undo();
        shown_->settle();
        QCOMPARE(shown_->part<CheckTable>("ablation.texts")->item(2, 0)->text(), QString("sample"));
    }

    void what_runs_is_what_core_measures() {
        shown_->make_small();
        shown_->run();
        const Table rows = shown_->page->tables().at(0), wins = shown_->page->tables().at(1);
        QCOMPARE(rows.rows.size(), std::size_t(9));
        Progress progress;
        const auto store = std::make_shared<Store>(std::filesystem::path());
        const Ablation same = run_ablation(shown_->spec(), store, progress);
        QCOMPARE(rows.to_csv(), same.table().to_csv());
        QCOMPARE(wins.to_csv(), same.wins().to_csv());
        QCOMPARE(shown_->part<TableView>("ablation.rows")->model()->rowCount(), 9);
        const Figure along_layers = shown_->part<PlotWidget>("ablation.curves")->figure();
        QCOMPARE(along_layers.series.size(), std::size_t(2));
        QCOMPARE(along_layers.series[0].x, (std::vector<double>{2, 3}));
        QCOMPARE(along_layers.guides.size(), std::size_t(1));
        shown_->page->slices().set_along_windows(true);
        QCOMPARE(shown_->part<PlotWidget>("ablation.curves")->figure().series[1].x, (std::vector<double>{1, 2}));
        shown_->part<QPushButton>("ablation.copy_markdown")->click();
        QCOMPARE(QGuiApplication::clipboard()->text().toStdString(), rows.to_markdown() + "\n" + wins.to_markdown());
        shown_->part<QPushButton>("ablation.copy_latex")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains("\\toprule"));
        shown_->type("ablation.remove", "2");
        QVERIFY(shown_->part<QLabel>("ablation.stale")->isVisible());
        shown_->sample.session.undo_stack().undo();
        shown_->settle();
        QVERIFY(!shown_->part<QLabel>("ablation.stale")->isVisible());
    }

    void stopping_keeps_what_was_measured() {
        shown_->make_small();
        shown_->measure([&](Measures& m) {
            auto& spec = m.ablation.spec;
            spec["calibration_windows"] = nlohmann::json::array();
            for (int windows = 1; windows < 200; ++windows) spec["calibration_windows"].push_back(windows);  // long enough to be stopped
        });
        shown_->button()->click();
        auto* rows = shown_->part<TableView>("ablation.rows")->model();
        QTRY_VERIFY_WITH_TIMEOUT(rows->rowCount() > 1 && shown_->button()->text() == "Stop", 60000);
        QVERIFY(shown_->part<QLabel>("ablation.size")->text().contains("rows are done"));
        Document other = shown_->sample.session.document();
        other.measures.ablation.spec["remove"] = {3};
        shown_->sample.session.change(other, "Another specification");
        shown_->page->refresh();
        QCOMPARE(shown_->button()->text(), QString("Stop"));  // it goes on
        shown_->button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(shown_->sample.session.lanes().idle(), 20000);
        shown_->settle();
        const int kept = rows->rowCount();
        QVERIFY(kept > 1 && kept < shown_->spec().rows());
        QVERIFY(shown_->part<QLabel>("ablation.size")->text().startsWith(QStringLiteral("Stopped after %1 rows").arg(kept)));
        QVERIFY(shown_->part<PlotWidget>("ablation.curves")->figure().empty.empty());
        QVERIFY(shown_->button()->isEnabled());
    }

    void files_are_those_of_the_terminal() {
        shown_->make_small();
        const auto file = shown_->folder.path() / "spec.json";
        shown_->page->form().save(file);
        const AblationSpec before = shown_->spec();
        QCOMPARE(AblationSpec::read(file).to_json(), before.to_json());
        shown_->start_again();
        QVERIFY(shown_->spec().to_json() != before.to_json());
        shown_->page->form().load(file);
        shown_->settle();
        QCOMPARE(shown_->spec().to_json(), before.to_json());
        Document other = shown_->sample.session.document();
        other.settings.windows.seqlen = 32;
        shown_->sample.session.change(other, "Shorter");
        QCOMPARE(shown_->spec().settings.windows.seqlen, std::int64_t(64));  // the file's
        const auto wrong = shown_->write("wrong.json", "{\"repairs\": 3}");
        QVERIFY_EXCEPTION_THROWN(shown_->page->form().load(wrong), Error);
        QCOMPARE(shown_->spec().settings.windows.seqlen, std::int64_t(64));
    }

private:
    std::unique_ptr<Shown> shown_;
};

SUTURE_SUITE(AblationPageTest)
#include "test_ablation_page.moc"
