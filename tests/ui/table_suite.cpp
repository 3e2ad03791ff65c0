// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QHeaderView>
#include <QtTest/QtTest>

#include "tests/support/suites.h"
#include "ui/widgets/table_view.h"

namespace {

using namespace suture;

Table perplexities() {
    Table table;
    table.title = "Perplexity";
    table.columns = {{"variant"}, {"perplexity", 2}, {"tokens"}};
    table.rows = {{"dense", 16.5, std::int64_t(4096)},
                  {"unpatched", 108.25, std::int64_t(4096)},
                  {"patched", 21.0, Cell()},
                  {"failed", Cell(), Cell()}};
    return table;
}

QStringList variants(const TableView& view) {
    QStringList names;
    for (const auto& row : view.shown_table().rows) names << QString::fromStdString(std::get<std::string>(row[0]));
    return names;
}

void click_title(TableView& view, int column) {
    QHeaderView& header = *view.horizontalHeader();
    const QPoint middle(header.sectionViewportPosition(column) + header.sectionSize(column) / 2, header.height() / 2);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, middle);
}

}  // namespace

class TableSuite : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void the_model_keeps_the_rules_of_item_models() {
        TableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.set_table(perplexities());
        QCOMPARE(model.rowCount(), 4);
        QCOMPARE(model.columnCount(), 3);
        QCOMPARE(model.index(1, 1).data().toString(), QString("108.25"));
        QCOMPARE(model.index(2, 2).data().toString(), QString("–"));
        QVERIFY(model.index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(model.index(0, 0).data(Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
        QVERIFY(!(model.flags(model.index(0, 0)) & Qt::ItemIsEditable));
        model.set_table({});
        QCOMPARE(model.rowCount(), 0);
    }

    void a_title_sorts_by_value_and_a_third_click_restores_the_order() {
        TableView view;
        view.set_table(perplexities());
        view.resize(500, 300);
        view.show();
        click_title(view, 1);
        QCOMPARE(variants(view), QStringList({"dense", "patched", "unpatched", "failed"}));  // by text, 108.25 would come first
        click_title(view, 1);
        QCOMPARE(variants(view).mid(1), QStringList({"unpatched", "patched", "dense"}));
        click_title(view, 1);
        QCOMPARE(variants(view), QStringList({"dense", "unpatched", "patched", "failed"}));
    }

    void copies_take_the_selected_rows_or_all() {
        TableView view;
        view.set_table(perplexities());
        QCOMPARE(view.text(TableView::Format::Csv), QString::fromStdString(perplexities().to_csv()));
        QCOMPARE(view.text(TableView::Format::Markdown), QString::fromStdString(perplexities().to_markdown()));
        view.selectRow(1);
        QCOMPARE(view.text(TableView::Format::Tabs), QString("variant\tperplexity\ttokens\nunpatched\t108.25\t4096\n"));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("variant\tperplexity\ttokens\nunpatched\t108.25\t4096\n"));
    }
};

SUTURE_SUITE(TableSuite)
#include "table_suite.moc"
