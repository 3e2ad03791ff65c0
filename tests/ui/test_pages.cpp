// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every page: words, controls, every state of a session.
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QSpinBox>

#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/ui/sample_pages.h"
#include "ui/pages/wrapped_titles.h"
#include "ui/widgets/table_view.h"

using namespace suture;
using namespace suture::test;

namespace {

bool says_something(const Figure& figure) {
    const bool data =
        figure.map.has_value() || std::any_of(figure.series.begin(), figure.series.end(), [](const Series& s) { return !s.x.empty(); });
    return !figure.title.empty() && data == figure.empty.empty();
}

/// Turns every control of a page through its values; the page has to bear all of them.
void play_with(Page& page) {
    QWidget* controls = page.controls();
    if (!controls) return;
    for (auto* combo : controls->findChildren<QComboBox*>())
        for (int i = 0; i < combo->count(); ++i) {
            combo->setCurrentIndex(i);
            Q_EMIT combo->activated(i);
        }
    for (auto* box : controls->findChildren<QCheckBox*>())
        for (int twice = 0; twice < 2; ++twice) box->toggle();
    for (auto* spin : controls->findChildren<QSpinBox*>())
        for (const int value : {spin->minimum(), spin->maximum(), spin->minimum() + 1}) spin->setValue(value);
}

}  // namespace

class PagesTest : public QObject, private PagesFixture {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { set_up(); }
    void cleanupTestCase() { tear_down(); }
    void init() { start_again(); }

    void every_control_explains_itself() {
        for (const auto& page : pages_->all()) {
            QVERIFY2(page->question().endsWith(QLatin1Char('?')), qPrintable(page->id()));
            pages_->show(qPrintable(page->id()));
            for (auto* control : page->findChildren<QWidget*>()) {
                const bool is_control = qobject_cast<QComboBox*>(control) || qobject_cast<QAbstractSpinBox*>(control) ||
                                        qobject_cast<QAbstractButton*>(control);
                if (!is_control || !control->objectName().startsWith(page->id())) continue;
                QVERIFY2(!control->toolTip().isEmpty(), qPrintable(control->objectName()));
                QVERIFY2(control->focusPolicy() & Qt::TabFocus, qPrintable(control->objectName()));
            }
        }
    }

    void long_titles_take_two_lines() {
        QCOMPARE(wrapped_title(QStringLiteral("perplexity")), QStringLiteral("perplexity"));
        QCOMPARE(wrapped_title(QStringLiteral("change against no repair (%)")), QStringLiteral("change against\nno repair (%)"));
        QCOMPARE(wrapped_title(QStringLiteral("incomprehensibilities")), QStringLiteral("incomprehensibilities"));
        pages_->show("similarity");
        auto* choices = pages_->part<TableView>("similarity.choices");  // titles are still for sorting
        const auto first = [&] { return choices->model()->index(0, 0).data().toString(); };
        const QString given = first();
        QString smallest = given;
        for (int row = 0; row < choices->model()->rowCount(); ++row)
            smallest = std::min(smallest, choices->model()->index(row, 0).data().toString());
        for (int clicks = 0; clicks < 2; ++clicks) Q_EMIT choices->horizontalHeader()->sectionClicked(0);
        QVERIFY(first() != smallest);
        Q_EMIT choices->horizontalHeader()->sectionClicked(0);
        QCOMPARE(first(), given);
    }

    void pages_bear_every_state_data() {
        QTest::addColumn<int>("stage");
        QTest::newRow("no model") << 0;
        QTest::newRow("no calibration") << 1;
        QTest::newRow("no selection") << 2;
        QTest::newRow("several seams") << 3;
    }
    void pages_bear_every_state() {
        QFETCH(int, stage);
        SampleSession other;
        if (stage >= 1) other.open();
        if (stage >= 2) other.calibrate();
        if (stage >= 2) QTRY_COMPARE(other.session.document().removed.size(), 4);
        if (stage == 2) other.session.remove_layers({});
        if (stage == 3) other.session.remove_layers(LayerSet({2, 3, 9}));
        Pages pages(other);
        for (const auto& page : pages.all()) {
            pages.show(qPrintable(page->id()));
            for (const Figure& figure : page->figures()) {
                QVERIFY2(says_something(figure), figure.id.c_str());
                if (stage == 0) QVERIFY2(!figure.empty.empty(), figure.id.c_str());
            }
            play_with(*page);
            pages.settle();
            for (const Figure& figure : page->figures()) QVERIFY2(says_something(figure), figure.id.c_str());
        }
    }
};

SUTURE_SUITE(PagesTest)
#include "test_pages.moc"
