// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluate and Export: numbers that go stale, files that are written.
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_pages.h"

using namespace suture;
using namespace suture::test;

class ResultPagesTest : public QObject, private PagesFixture {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { set_up(); }
    void cleanupTestCase() { tear_down(); }
    void init() { start_again(); }

    void evaluation_goes_stale_and_says_so() {
        Page& page = pages_->show("evaluate");
        auto* box = pages_->part<QCheckBox>("evaluate.repair.scalar");
        QVERIFY(!box->isChecked());
        box->setChecked(true);
        const auto& repairs = sample_->session.document().repairs;
        QCOMPARE(repairs.size(), std::size_t(4));
        QVERIFY(std::find(repairs.begin(), repairs.end(), "scalar") != repairs.end());
        pages_->settle();
        QVERIFY(!page.figures()[0].empty.empty());
        auto* button = pages_->part<QPushButton>("evaluate.button");
        QVERIFY2(button->text().contains(QStringLiteral("about")), qPrintable(button->text()));
        button->click();
        QVERIFY(!button->isEnabled() || sample_->results.evaluation.running());
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.evaluation.fresh(), 60000);
        pages_->settle();
        QCOMPARE(page.tables()[0].rows.size(), std::size_t(5));  // dense and four repairs
        QVERIFY(!pages_->part<QLabel>("evaluate.stale")->isVisible());
        const Figure bars = page.figures()[0];
        QCOMPARE(bars.x.labels.size(), std::size_t(5));
        QVERIFY(!bars.series.at(0).low.empty());  // eight windows give an interval

        sample_->session.remove_layers(LayerSet({6}));
        pages_->settle();
        QVERIFY(pages_->part<QLabel>("evaluate.stale")->isVisible());
        QVERIFY(pages_->part<QLabel>("evaluate.stale")->text().contains(QStringLiteral("removes layer 6 (1 of 16)")));
        const Table stale = page.tables()[0];
        QCOMPARE(stale.text(0, stale.columns.size() - 1), std::string("fresh"));  // nothing was removed from the dense model
        QCOMPARE(stale.text(1, stale.columns.size() - 1), std::string("stale"));
        const auto drawn = page.figures()[0].series;
        QCOMPARE(drawn.size(), std::size_t(2));
        QCOMPARE(drawn[0].role, Role::Dense);
        QCOMPARE(drawn[1].role, Role::Neutral);
        sample_->session.undo_stack().undo();
        pages_->settle();
        QVERIFY(!pages_->part<QLabel>("evaluate.stale")->isVisible());  // the same conditions again: the numbers hold
    }

    void export_tells_what_will_be_written() {
        Page& page = pages_->show("export");
        const auto has_row = [&](int table, const std::string& first) {
            const Table listed = page.tables()[std::size_t(table)];
            for (std::size_t r = 0; r < listed.rows.size(); ++r)
                if (listed.text(r, 0) == first) return true;
            return false;
        };
        QVERIFY(has_row(0, "model.safetensors"));
        QVERIFY(has_row(0, "modeling_suture.py"));
        const Table changes = page.tables()[1];
        for (std::size_t r = 0; r < changes.rows.size(); ++r)
            if (changes.text(r, 0) == "num_hidden_layers") QCOMPARE(changes.text(r, 1) + changes.text(r, 2), std::string("1612"));
        QVERIFY(has_row(1, "num_hidden_layers"));
        choose(pages_->part<QComboBox>("export.repair"), QStringLiteral("none"));
        pages_->settle();
        QVERIFY(!has_row(0, "modeling_suture.py"));
        QVERIFY(has_row(1, "num_hidden_layers"));
        pages_->part<QPushButton>("export.copy")->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("from_pretrained")));
        pages_->part<QDoubleSpinBox>("export.shard")->setValue(0.002);
        QCOMPARE(sample_->session.document().settings.export_.shard_gb, 0.002);
        pages_->settle();
        QVERIFY(has_row(0, "model.safetensors.index.json"));
        sample_->session.remove_layers({});
        pages_->settle();
        QVERIFY(page.tables()[0].rows.empty());
        QVERIFY(!pages_->part<QPushButton>("export.button")->isEnabled());
    }

    void export_writes_and_compares() {
        const TemporaryFolder place;
        const auto target = place.path() / "out";
        pages_->show("export");
        auto* folder = pages_->part<QLineEdit>("export.folder");
        QTest::keyClicks(folder, QString::fromStdString(target.string()));
        QTest::keyClick(folder, Qt::Key_Return);
        QCOMPARE(sample_->session.document().export_folder, target);
        pages_->settle();
        QVERIFY(pages_->part<QPlainTextEdit>("export.python")->toPlainText().contains(QString::fromStdString(target.string())));
        auto* button = pages_->part<QPushButton>("export.button");
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.exported.fresh(), 60000);
        pages_->settle();
        QVERIFY(std::filesystem::exists(target / "config.json"));
        auto* outcome = pages_->part<QLabel>("export.outcome");
        QVERIFY2(outcome->text().contains(QStringLiteral("They agree.")), qPrintable(outcome->text()));
        auto* problem = pages_->part<QLabel>("export.problem");
        QVERIFY(!button->isEnabled());  // the folder is there now
        QVERIFY2(problem->isVisible() && problem->text().contains(QString::fromStdString(target.string())), qPrintable(problem->text()));
        pages_->part<QCheckBox>("export.overwrite")->setChecked(true);
        pages_->settle();
        QVERIFY(!problem->isVisible());
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(sample_->results.exported.fresh(), 60000);
    }
};

SUTURE_SUITE(ResultPagesTest)
#include "test_result_pages.moc"
