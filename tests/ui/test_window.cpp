// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QtTest/QtTest>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_session.h"
#include "ui/widgets/layer_strip.h"
#include "ui/window/banner.h"
#include "ui/window/main_window.h"

using namespace suture;
using namespace suture::test;

namespace {

struct Window : MainWindow {
    Window() : MainWindow(std::make_shared<Store>(std::filesystem::path()), sample_folder()) {
        Document small = session().document();
        small.settings = small_job();
        session().change(small, "Small job");
        show();
    }
    template <class T>
    T* part(const char* name) {
        T* found = findChild<T*>(QString::fromLatin1(name));
        if (!found) qFatal("no %s", name);
        return found;
    }
    void open() {
        QTest::mouseClick(part<QPushButton>("first_run.sample"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(part<QWidget>("work")->isVisible(), 10000);
        QTRY_VERIFY_WITH_TIMEOUT(results().forecast.fresh(), 10000);
    }
};

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QSettings().clear(); }

    void first_run_says_what_to_do() {
        Window window;
        QVERIFY(window.part<QWidget>("first_run")->isVisible());
        QVERIFY(!window.part<QWidget>("work")->isVisible());
        QVERIFY(window.part<QPushButton>("first_run.open")->isVisible());
        QCOMPARE(window.windowTitle(), QStringLiteral("Suture"));
    }

    void calibrate_button_tells_the_cost_and_goes_when_done() {
        Window window;
        window.open();
        QCOMPARE(window.windowTitle(), QStringLiteral("sample – Suture"));
        auto* button = window.part<QPushButton>("calibrate.button");
        QTRY_VERIFY(button->text().contains(QStringLiteral("of memory")));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window.results().statistics.fresh(), 60000);
        QTRY_VERIFY(!window.part<QWidget>("calibrate_bar")->isVisible());
        QTRY_COMPARE(window.part<LayerStrip>("strip")->removed().size(), 4);
        QCOMPARE(window.part<QLabel>("size.layers")->text(), QStringLiteral("12 of 16"));
    }

    void strip_and_controls_change_the_document() {
        Window window;
        window.open();
        auto* strip = window.part<LayerStrip>("strip");
        QTest::mouseClick(strip->viewport(), Qt::LeftButton, {}, strip->layer_rect(5).center());
        QCOMPARE(window.session().document().removed, LayerSet({5}));
        QTRY_COMPARE(window.part<QLabel>("read_out.cut")->text(), QStringLiteral("removes layer 5 (1 of 16)"));
        window.part<QAction>("action.undo")->trigger();
        QTRY_VERIFY(strip->removed().empty());
        window.part<QSpinBox>("choose.count")->setValue(3);
        QCOMPARE(window.session().document().block_length, 3);
    }

    void errors_are_a_banner_that_can_be_dismissed() {
        Window window;
        const TemporaryFolder empty;
        window.open_model(empty.path());
        auto* banner = window.part<Banner>("banner");
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 10000);
        QVERIFY(banner->message().contains(QString::fromStdString(empty.path().filename().string())));
        QTest::mouseClick(banner->findChild<QAbstractButton*>(QStringLiteral("banner.dismiss")), Qt::LeftButton);
        QVERIFY(!banner->isVisible());
        window.open_model(empty.path());
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), 10000);
        window.open_model(sample_folder());  // tried again: what failed before is no news
        QVERIFY(!banner->isVisible());
    }

    void dropped_file_opens_its_folder() {
        Window window;
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString((sample_folder() / "config.json").string()))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
        QTRY_VERIFY_WITH_TIMEOUT(window.session().study() != nullptr, 10000);
        QCOMPARE(window.session().document().model, sample_folder());
    }

    void cancel_button_stops_a_calibration() {
        Window window;
        window.open();
        Document longer = window.session().document();
        longer.settings.windows.seqlen = 512;
        longer.settings.windows.windows = 64;
        window.session().change(longer, "Longer");
        QTRY_VERIFY_WITH_TIMEOUT(window.results().forecast.fresh(), 10000);
        window.results().calibrate();
        auto* cancel = window.part<QPushButton>("status.cancel");
        QTRY_VERIFY(cancel->isVisible());
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(cancel, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!window.results().statistics.running(), 10000);
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(window.results().statistics.state(), LiveBase::State::Empty);
        QTRY_VERIFY(window.part<QWidget>("calibrate_bar")->isVisible());
    }

    void pages_have_shortcuts_and_questions() {
        Window window;
        window.open();
        for (std::size_t i = 0; i < window.pages().size(); ++i) {
            QCOMPARE(window.part<QAction>(qPrintable(QStringLiteral("action.page_") + window.pages()[i]->id()))->shortcut().toString(),
                     QStringLiteral("Ctrl+%1").arg((i + 1) % 10));
            window.show_page(int(i));
            QVERIFY(window.part<QLabel>("page.question")->text().endsWith(QLatin1Char('?')));
        }
    }

    void recent_models_are_offered_next_time() {
        {
            Window window;
            window.open();
        }
        Window again;
        bool offered = false;
        for (const auto* button : again.part<QWidget>("first_run")->findChildren<QPushButton*>())
            offered |= button->text().contains(QStringLiteral("sample   "));
        QVERIFY(offered);
    }
};

SUTURE_SUITE(WindowTest)
#include "test_window.moc"
