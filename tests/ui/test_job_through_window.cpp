// SPDX-License-Identifier: GPL-3.0-or-later
// The whole job as a person does it: with mouse and keyboard in the window.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QtTest/QtTest>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_session.h"
#include "ui/plots/plot_widget.h"
#include "ui/widgets/layer_strip.h"
#include "ui/widgets/table_view.h"
#include "ui/window/main_window.h"

using namespace suture;
using namespace suture::test;

class JobThroughWindowTest : public QObject {
    Q_OBJECT

    template <class T>
    T* part(const char* name) {
        T* found = window_->findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    void press(const char* button) { QTest::mouseClick(part<QPushButton>(button), Qt::LeftButton); }
    void show_page(const QString& id) {
        for (std::size_t i = 0; i < window_->pages().size(); ++i)
            if (window_->pages()[i]->id() == id) window_->show_page(int(i));
    }

private Q_SLOTS:
    void initTestCase() {
        QSettings().clear();
        window_ = std::make_unique<MainWindow>(std::make_shared<Store>(std::filesystem::path()), sample_folder());
        Document small = window_->session().document();
        small.settings = small_job();
        window_->session().change(small, "Small job");
        window_->resize(1500, 950);
        window_->show();
    }
    void cleanupTestCase() { window_.reset(); }

    void load() {
        press("first_run.sample");
        QTRY_VERIFY_WITH_TIMEOUT(part<QWidget>("work")->isVisible(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(part<QPushButton>("calibrate.button")->isEnabled(), 10000);
    }

    void calibrate() {
        press("calibrate.button");
        QTRY_VERIFY_WITH_TIMEOUT(window_->results().statistics.fresh(), 60000);
        QTRY_VERIFY(!part<QWidget>("calibrate_bar")->isVisible());
    }

    void choose() {
        auto* strip = part<LayerStrip>("strip");
        QTest::keyClicks(strip, QStringLiteral("5-7"));
        QTest::keyClick(strip, Qt::Key_Return);
        QTRY_COMPARE(part<QLabel>("size.layers")->text(), QStringLiteral("13 of 16"));
        show_page(QStringLiteral("similarity"));
        QTRY_VERIFY(part<PlotWidget>("similarity.layers")->figure().caption.find("removes layers 5–7 (3 of 16)") != std::string::npos);
    }

    void patch() {
        show_page(QStringLiteral("patch"));
        auto* kind = part<QComboBox>("patch.kind");
        QCOMPARE(kind->currentText(), QStringLiteral("LinearPatch"));
        QTRY_VERIFY_WITH_TIMEOUT(part<PlotWidget>("patch.matrix")->figure().map.has_value(), 10000);
        QTRY_VERIFY(part<TableView>("patch.facts")->model()->rowCount() > 0);
    }

    void evaluate() {
        show_page(QStringLiteral("evaluate"));
        press("evaluate.button");
        QTRY_VERIFY_WITH_TIMEOUT(window_->results().evaluation.fresh(), 120000);
        QTRY_COMPARE(part<TableView>("evaluate.table")->model()->rowCount(), 4);  // dense, no repair, channel scaling, LinearPatch
    }

    void export_it() {
        const auto target = place_.path() / "exported";
        show_page(QStringLiteral("export"));
        auto* folder = part<QLineEdit>("export.folder");
        QTest::keyClicks(folder, QString::fromStdString(target.string()));
        QTest::keyClick(folder, Qt::Key_Return);
        QTRY_VERIFY(part<QPushButton>("export.button")->isEnabled());
        press("export.button");
        QTRY_VERIFY_WITH_TIMEOUT(window_->results().exported.fresh(), 120000);
        QTRY_VERIFY(part<QLabel>("export.outcome")->text().contains(QStringLiteral("They agree.")));
        QCOMPARE(read_json(target / "config.json")["num_hidden_layers"].get<int>(), 13);
        const auto report = read_json(target / "suture.json");
        QVERIFY(report.is_object() && !report.empty());
    }

    /// What was written is a model like any other.
    void open_the_export() {
        window_->open_model(place_.path() / "exported");
        QTRY_COMPARE_WITH_TIMEOUT(window_->session().layers(), 13, 10000);
    }

private:
    TemporaryFolder place_;
    std::unique_ptr<MainWindow> window_;
};

SUTURE_SUITE(JobThroughWindowTest)
#include "test_job_through_window.moc"
