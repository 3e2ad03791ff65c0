// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QtTest/QtTest>

#include "tests/support/suites.h"
#include "ui/plots/plot_widget.h"
#include "ui/plots/read_out.h"
#include "ui/theme/theme.h"

namespace {

using namespace suture;

/// y = 2x at 0 … 10, and a constant.
Figure two_curves() {
    Figure figure;
    figure.id = "curves";
    figure.title = "Two curves";
    figure.caption = "made by hand";
    figure.x.title = "layer";
    figure.x.integers = true;
    figure.y.title = "cosine (1)";
    Series slope{.name = "dense", .role = Role::Dense, .style = Series::Style::LineAndPoints, .x = {}, .y = {}, .low = {}};
    Series flat{.name = "patched", .role = Role::Patched, .style = Series::Style::Line, .x = {}, .y = {}, .low = {}};
    for (int i = 0; i <= 10; ++i) {
        slope.x.push_back(i);
        slope.y.push_back(2 * i);
        flat.x.push_back(i);
        flat.y.push_back(5);
    }
    figure.series = {slope, flat};
    return figure;
}

struct Plot : PlotWidget {
    explicit Plot(const Figure& figure) {
        set_figure(figure);
        resize(700, 450);
        show();
        [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(this);
        QCoreApplication::processEvents();
    }
    QWidget* canvas() const { return findChild<QWidget*>("canvas"); }
    void send(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held, Qt::KeyboardModifiers keys = {}) {
        QMouseEvent event(type, at, canvas()->mapToGlobal(at), button, held, keys);
        QCoreApplication::sendEvent(canvas(), &event);
    }
    void drag(QPointF from, QPointF to, Qt::MouseButton button, Qt::KeyboardModifiers keys = {}) {
        send(QEvent::MouseButtonPress, from, button, button, keys);
        send(QEvent::MouseMove, (from + to) / 2, Qt::NoButton, button, keys);
        send(QEvent::MouseMove, to, Qt::NoButton, button, keys);
        send(QEvent::MouseButtonRelease, to, button, {}, keys);
    }
    void wheel(QPointF at, int notches) {
        QWheelEvent event(at, canvas()->mapToGlobal(at), {}, {0, 120 * notches}, {}, {}, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas(), &event);
    }
    double width() const { return visible_x()->high - visible_x()->low; }
    double height() const { return visible_y()->high - visible_y()->low; }
};

bool near(double a, double b, double by) { return std::abs(a - b) < by; }

}  // namespace

class PlotSuite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_wheel_zooms_at_the_cursor() {
        Plot plot(two_curves());
        const double before = plot.width();
        const QPointF at = plot.pixel_of(8, 10);
        plot.wheel(at, 2);
        QVERIFY(plot.width() < before);
        QVERIFY(near(plot.pixel_of(8, 10).x(), at.x(), 1.5));
        QVERIFY(near(plot.pixel_of(8, 10).y(), at.y(), 1.5));
        plot.wheel(at, -2);
        QVERIFY(near(plot.width(), before, 1e-6));
    }

    void a_left_drag_zooms_the_rectangle_and_a_double_click_resets() {
        Plot plot(two_curves());
        const auto home = plot.visible_x();
        plot.drag(plot.pixel_of(2, 16), plot.pixel_of(6, 4), Qt::LeftButton);
        QVERIFY(near(plot.visible_x()->low, 2, 0.1) && near(plot.visible_x()->high, 6, 0.1));
        QVERIFY(near(plot.visible_y()->low, 4, 0.2) && near(plot.visible_y()->high, 16, 0.2));
        plot.send(QEvent::MouseButtonDblClick, plot.pixel_of(4, 10), Qt::LeftButton, Qt::LeftButton);
        QVERIFY(plot.visible_x() == home);
        QVERIFY(!plot.view().x && !plot.view().y);
    }

    void a_flat_drag_zooms_the_x_axis_only() {
        Plot plot(two_curves());
        const auto y = plot.visible_y();
        plot.drag(plot.pixel_of(2, 10), plot.pixel_of(6, 10), Qt::LeftButton);
        QVERIFY(near(plot.visible_x()->low, 2, 0.1));
        QVERIFY(plot.visible_y() == y);
    }

    void middle_and_ctrl_drags_pan() {
        for (const bool middle : {true, false}) {
            Plot plot(two_curves());
            plot.wheel(plot.pixel_of(5, 10), 4);
            const double width = plot.width();
            const QPointF from = plot.pixel_of(5, 10), to = plot.pixel_of(4, 10);
            plot.drag(from, to, middle ? Qt::MiddleButton : Qt::LeftButton, middle ? Qt::NoModifier : Qt::ControlModifier);
            QVERIFY(near(plot.pixel_of(5, 10).x(), to.x(), 3));  // the point went along with the cursor
            QVERIFY(near(plot.width(), width, 1e-6));
        }
    }

    void keys_zoom_pan_and_reset() {
        Plot plot(two_curves());
        const auto home = plot.visible_x();
        QTest::keyClick(&plot, Qt::Key_Plus);
        const auto zoomed = plot.visible_x();
        QVERIFY(zoomed->low > home->low && zoomed->high < home->high);
        QTest::keyClick(&plot, Qt::Key_Right);
        QVERIFY(plot.visible_x()->low > zoomed->low);
        QTest::keyClick(&plot, Qt::Key_Escape);
        QVERIFY(plot.visible_x() == home);
    }

    void a_plain_click_gives_its_place_and_a_drag_does_not() {
        Plot plot(two_curves());
        QSignalSpy spy(&plot, &PlotWidget::clicked_at);
        plot.drag(plot.pixel_of(2, 16), plot.pixel_of(6, 4), Qt::LeftButton);
        QCOMPARE(spy.size(), 0);
        plot.reset_view();
        const QPointF at = plot.pixel_of(7, 3);
        plot.send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
        plot.send(QEvent::MouseButtonRelease, at, Qt::LeftButton, {});
        QTRY_COMPARE(spy.size(), 1);
        QVERIFY(near(spy[0][0].toDouble(), 7, 0.1) && near(spy[0][1].toDouble(), 3, 0.3));
    }

    void a_double_click_is_no_click() {
        Plot plot(two_curves());
        QSignalSpy spy(&plot, &PlotWidget::clicked_at);
        const QPointF at = plot.pixel_of(7, 3);
        plot.send(QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
        plot.send(QEvent::MouseButtonRelease, at, Qt::LeftButton, {});
        plot.send(QEvent::MouseButtonDblClick, at, Qt::LeftButton, Qt::LeftButton);
        plot.send(QEvent::MouseButtonRelease, at, Qt::LeftButton, {});
        QTest::qWait(QApplication::doubleClickInterval() + 100);
        QCOMPARE(spy.size(), 0);
    }

    void the_right_button_opens_the_menu() {
        Plot plot(two_curves());
        bool opened = false;
        QTimer::singleShot(50, &plot, [&] {  // the menu holds up the event that opens it
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            opened = menu && menu->parent() == &plot;
            if (menu) menu->close();
        });
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(200, 200), plot.canvas()->mapToGlobal(QPoint(200, 200)));
        QCoreApplication::sendEvent(plot.canvas(), &event);
        QVERIFY(opened);
    }

    void hovering_reads_all_curves_at_the_nearest_layer() {
        Plot plot(two_curves());
        QSignalSpy spy(&plot, &PlotWidget::hovered);
        plot.send(QEvent::MouseMove, plot.pixel_of(3.2, 9), Qt::NoButton, {});
        QCOMPARE(spy.last()[0].toString(), QString("layer 3 · dense 6 · patched 5"));
        plot.toggle_series("patched");
        QCoreApplication::processEvents();
        plot.send(QEvent::MouseMove, plot.pixel_of(3.2, 9), Qt::NoButton, {});
        QCOMPARE(spy.last()[0].toString(), QString("layer 3 · dense 6"));
    }

    void a_map_reads_its_cells() {
        Figure figure;
        figure.x = {.title = "token", .integers = true, .labels = {}, .low = {}, .high = {}};
        figure.y = {.title = "layer", .integers = true, .labels = {}, .low = {}, .high = {}};
        figure.map = HeatMap{.values = Matrix({2, 3}, {1, 2, 3, 4, 5, 6}), .value_title = "norm (units)"};
        figure.map->column_labels = {"a", "\n", "c"};
        const auto read = [&](double x, double y) { return read_out(figure, {}, {}, {}, {x, y}); };
        QCOMPARE(read(0.6, 1.4)->text(), QString("token 1 “↵” · layer 1 · norm 5"));
        QVERIFY(!read(2.6, 0));
        QVERIFY(!read(0, -0.6));
    }

    void extents_keep_fixed_ends_and_leave_room() {
        Figure figure = two_curves();
        QVERIFY(x_extent(figure) == (Extent{-0.5, 10.5}));
        figure.y.low = 0;
        figure.y.high = 40;
        QVERIFY(y_extent(figure, false) == (Extent{0, 40}));
        HeatMap map{.values = Matrix({1, 2}, {-1, 3}), .value_title = ""};
        map.diverging = true;
        QVERIFY(colour_extent(map, false) == (Extent{-3, 3}));
    }

    void only_positive_values_can_be_logarithmic() {
        Figure figure = two_curves();
        QVERIFY(can_be_log(figure));
        QVERIFY(y_extent(figure, true).low > 0);
        for (Series& s : figure.series) s.y.assign(s.x.size(), -1);
        QVERIFY(!can_be_log(figure));
        QVERIFY(!is_log(figure, {.log = true, .hidden = {}, .x = {}, .y = {}}));
    }

    void zoom_is_kept_for_the_same_figure_and_dropped_for_another() {
        Plot plot(two_curves());
        plot.show_x({2, 6});
        plot.set_log(true);
        Figure next = two_curves();
        next.series[0].y[3] = 7;
        plot.set_figure(next);
        QVERIFY(plot.visible_x() == (Extent{2, 6}));
        QVERIFY(is_log(plot.figure(), plot.view()));
        next.id = "another";
        plot.set_figure(next);
        QVERIFY(plot.visible_x() == (Extent{-0.5, 10.5}));
    }

    void the_menu_offers_log_and_reset_when_they_mean_something() {
        Plot plot(two_curves());
        const auto action = [&](const QString& text) {
            const std::unique_ptr<QMenu> menu(plot.make_menu());
            for (QAction* a : menu->actions())
                if (a->text() == text) return std::pair(a->isEnabled(), a->isChecked());
            return std::pair(false, false);
        };
        QVERIFY(action("Log axis") == std::pair(true, false));
        QVERIFY(action("Reset zoom") == std::pair(false, false));
        plot.set_log(true);
        plot.wheel(plot.pixel_of(5, 10), 1);
        QVERIFY(action("Log axis") == std::pair(true, true));
        QVERIFY(action("Reset zoom") == std::pair(true, false));
    }

    void a_message_takes_the_place_of_the_data() {
        Plot plot(two_curves());
        plot.show_message("Calibrate the model first.");
        QVERIFY(!plot.visible_x());
        QCOMPARE(plot.accessibleName(), QString("Two curves"));
        QCOMPARE(plot.accessibleDescription(), QString("Calibrate the model first."));
        plot.wheel({100, 100}, 1);  // nothing to zoom, nothing to break
        plot.set_figure(two_curves());
        QCOMPARE(plot.accessibleDescription(), QString("made by hand"));
    }

    void dense_figures_are_drawn_quickly() {
        Figure dense;
        dense.y.log = true;
        for (int k = 0; k < 4; ++k) {
            Series series{.name = std::to_string(k), .role = Role::Dense, .style = Series::Style::Line, .x = {}, .y = {}, .low = {}};
            for (int i = 0; i < 4096; ++i) {
                series.x.push_back(i);
                series.y.push_back(1.0 + (i * 7919 + k) % 97);
            }
            dense.series.push_back(series);
        }
        Figure map;
        map.map = HeatMap{.values = Matrix({1024, 1024}), .value_title = ""};
        for (std::size_t i = 0; i < map.map->values.data.size(); ++i) map.map->values.data[i] = double(i % 1009);
        Plot plot(two_curves());
        for (const Figure& figure : {dense, map}) {
            QSignalSpy drawn(plot.canvas(), SIGNAL(afterReplot()));
            QElapsedTimer timer;
            timer.start();
            plot.set_figure(figure);
            QVERIFY(drawn.wait(5000));
            QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed()) + " ms"));  // a thick pen takes 25 s
        }
    }

    void no_room_is_no_fault() {
        QTest::failOnWarning(QRegularExpression("QPainter"));
        QWidget page;  // never shown, as the pages behind the first one
        PlotWidget plot(&page);
        plot.set_figure(two_curves());
        page.resize(300, 200);
        plot.resize(100, 0);
        QVERIFY(!page.grab().isNull());  // tells hidden widgets their sizes
    }

    void plots_follow_the_theme() {
        apply_theme(*qApp, Theme::Light);
        Plot plot(two_curves());
        QCoreApplication::processEvents();
        const auto brightness = [&] { return plot.grab().toImage().pixelColor(6, 6).lightness(); };
        QVERIFY(brightness() > 200);
        apply_theme(*qApp, Theme::Dark);
        QTRY_VERIFY(brightness() < 60);
        QCOMPARE(current_theme(), Theme::Dark);
        apply_theme(*qApp, Theme::Light);
        QCOMPARE(current_theme(), Theme::Light);
    }
};

SUTURE_SUITE(PlotSuite)
#include "plot_suite.moc"
