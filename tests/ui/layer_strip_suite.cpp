// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QtTest/QtTest>

#include "tests/support/suites.h"
#include "ui/theme/colours.h"
#include "ui/widgets/layer_strip.h"

namespace {

using namespace suture;

struct Strip : LayerStrip {
    explicit Strip(int layers, QSize size = {240, 700}) {
        std::vector<LayerStripRow> rows{std::size_t(layers)};
        for (int i = 0; i < layers; ++i) rows[std::size_t(i)].value = 0.1 * i;
        set_layers(std::move(rows), "block influence");
        resize(size);
        show();
    }
    QPoint at(int layer) const { return layer_rect(layer).center(); }
    void click(int layer, Qt::KeyboardModifiers keys = {}) { QTest::mouseClick(viewport(), Qt::LeftButton, keys, at(layer)); }
    void drag(int from, int to) {
        const QPoint start = at(from), end = at(to);
        QTest::mousePress(viewport(), Qt::LeftButton, {}, start);
        const int steps = std::abs(to - from);
        for (int i = 1; i <= steps; ++i) {
            const QPoint between = start + (end - start) * i / steps;
            QMouseEvent move(QEvent::MouseMove, QPointF(between), QPointF(viewport()->mapToGlobal(between)), Qt::NoButton, Qt::LeftButton,
                             {});
            QCoreApplication::sendEvent(viewport(), &move);
        }
        QTest::mouseRelease(viewport(), Qt::LeftButton, {}, end);
    }
    QString chosen() const { return QString::fromStdString(removed().text()); }
};

}  // namespace

class LayerStripSuite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_click_toggles_and_reports_once() {
        Strip strip(12);
        QSignalSpy spy(&strip, &LayerStrip::removed_changed);
        strip.click(4);
        QCOMPARE(strip.chosen(), QString("4"));
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy[0][0].value<LayerSet>(), LayerSet({4}));
        strip.click(4);
        QVERIFY(strip.removed().empty());
        strip.set_removed(LayerSet({2}));
        QCOMPARE(spy.size(), 2);  // setting is not choosing
    }

    void a_cross_lies_on_no_bar() {
        Strip strip(4);
        const auto image = [&] { return strip.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); };
        const QRect row = strip.layer_rect(3);  // the longest bar
        const QImage kept = image();
        strip.set_removed(LayerSet({3}));
        const QImage gone = image();
        const double ratio = kept.devicePixelRatio();
        const auto pixel = [&](const QImage& from, int x, int y) { return from.pixelColor(int(x * ratio), int(y * ratio)); };
        const QColor bar = pixel(kept, row.center().x(), row.center().y());
        int begin = row.left();
        while (begin < row.right() && pixel(kept, begin, row.center().y()) != bar) ++begin;
        QVERIFY(begin > row.left() + 20 && begin < row.center().x());
        // The strong colour of the cross is found in front of the bar only; 3 pixels off the middle, where no line strikes.
        const QColor cross = role_colour(Role::Removed, current_theme());
        const auto strong = [&](int from, int to) {
            int count = 0;
            for (int x = from; x < to; ++x) {
                const QColor c = pixel(gone, x, row.center().y() - 3);
                const int away = std::abs(c.red() - cross.red()) + std::abs(c.green() - cross.green()) + std::abs(c.blue() - cross.blue());
                count += away < 60;
            }
            return count;
        };
        QVERIFY(strong(begin - 15, begin) > 0);
        QCOMPARE(strong(begin, row.center().x()), 0);
    }

    void a_drag_gives_the_range_the_state_of_its_first_layer() {
        Strip strip(12);
        QSignalSpy spy(&strip, &LayerStrip::removed_changed);
        strip.drag(3, 7);
        QCOMPARE(strip.chosen(), QString("3-7"));
        QCOMPARE(spy.size(), 1);
        strip.drag(6, 5);
        QCOMPARE(strip.chosen(), QString("3-4,7"));
    }

    void shift_extends_from_the_last_click() {
        Strip strip(12);
        strip.click(8);
        strip.click(5, Qt::ShiftModifier);
        QCOMPARE(strip.chosen(), QString("5-8"));
    }

    void keys_move_the_focus_and_toggle() {
        Strip strip(12);
        for (auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Space}) QTest::keyClick(&strip, key);
        QCOMPARE(strip.chosen(), QString("2"));
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(strip.focused_layer(), 11);
        QTest::keyClick(&strip, Qt::Key_Up);
        QCOMPARE(strip.focused_layer(), 10);
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(strip.focused_layer(), 0);
        QVERIFY(strip.accessibleDescription().contains("layer 0"));
        QVERIFY(strip.accessibleDescription().contains("removed: 2"));
    }

    void a_typed_list_replaces_the_choice() {
        Strip strip(30);
        strip.set_removed(LayerSet({1}));
        QSignalSpy spy(&strip, &LayerStrip::removed_changed);
        QTest::keyClicks(&strip, "3,7-9");
        QCOMPARE(strip.typed(), QString("3,7-9"));
        QCOMPARE(spy.size(), 0);
        QTest::keyClick(&strip, Qt::Key_Return);
        QCOMPARE(strip.chosen(), QString("3,7-9"));
        QCOMPARE(spy.size(), 1);
        QVERIFY(strip.typed().isEmpty());
    }

    void a_wrong_list_is_explained_and_changes_nothing() {
        Strip strip(30);
        strip.set_removed(LayerSet({1}));
        QTest::keyClicks(&strip, "4,30");
        QTest::keyClick(&strip, Qt::Key_Return);
        QVERIFY(strip.problem().contains("no layer 30"));
        QCOMPARE(strip.chosen(), QString("1"));
        QTest::keyClick(&strip, Qt::Key_Escape);
        QVERIFY(strip.problem().isEmpty() && strip.typed().isEmpty());
    }

    void the_last_kept_layer_stays() {
        Strip strip(4);
        strip.drag(0, 3);
        QCOMPARE(strip.chosen(), QString("0-2"));
        QVERIFY(!strip.problem().isEmpty());
        strip.click(3);
        QCOMPARE(strip.chosen(), QString("0-2"));
    }

    void rows_for_seams_stand_behind_each_run() {
        const LayerStripRows rows(6, LayerSet({0, 2, 3, 5}), 10);
        QStringList order;
        for (const auto& row : rows.rows()) order << (row.is_seam ? "seam before " : "") + QString::number(row.layer);
        QCOMPARE(order.join(' '), QString("0 seam before 1 1 2 3 seam before 4 4 5 seam before 6"));
        QCOMPARE(rows.top_of_layer(4), 60);
        QCOMPARE(rows.layer_at(61), std::optional(4));
        QCOMPARE(rows.layer_at(11), std::optional<int>());
        QCOMPARE(rows.nearest_layer(11), 0);
        QCOMPARE(rows.nearest_layer(1000), 5);
    }

    void many_layers_scroll_and_stay_reachable() {
        Strip strip(128, {240, 400});
        QTest::keyClick(&strip, Qt::Key_End);
        QVERIFY(strip.viewport()->rect().contains(strip.layer_rect(127)));
        strip.click(127);
        QCOMPARE(strip.chosen(), QString("127"));
    }

    void hovering_tells_the_layer() {
        Strip strip(12);
        QSignalSpy spy(&strip, &LayerStrip::hovered);
        const QPoint at = strip.at(5);
        QMouseEvent move(QEvent::MouseMove, QPointF(at), QPointF(strip.viewport()->mapToGlobal(at)), Qt::NoButton, Qt::NoButton, {});
        QCoreApplication::sendEvent(strip.viewport(), &move);
        QCOMPARE(spy.size(), 1);
        QCOMPARE(spy[0][0].toString(), QString("layer 5 · block influence 0.5 · kept"));
        strip.click(5);
        QCOMPARE(spy.last()[0].toString(), QString("layer 5 · block influence 0.5 · removed"));
        QTest::keyClick(&strip, Qt::Key_Space);
        QCOMPARE(spy.last()[0].toString(), QString("layer 5 · block influence 0.5 · kept"));
    }
};

SUTURE_SUITE(LayerStripSuite)
#include "layer_strip_suite.moc"
