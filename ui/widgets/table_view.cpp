// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <set>

namespace suture {
namespace {

QString with_tabs(const Table& table) {
    QStringList lines{{}};
    for (std::size_t c = 0; c < table.columns.size(); ++c) lines[0] += (c ? "\t" : "") + QString::fromStdString(table.columns[c].title);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        QStringList cells;
        for (std::size_t c = 0; c < table.columns.size(); ++c) cells << QString::fromStdString(table.text(r, c));
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

}  // namespace

TableView::TableView(QWidget* parent) : QTableView(parent) {
    sorted_.setSourceModel(&model_);
    sorted_.setSortRole(TableModel::SortRole);
    setModel(&sorted_);
    setSelectionBehavior(SelectRows);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setFrameShape(NoFrame);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &TableView::sort_next);
}

void TableView::set_table(const Table& table) {
    model_.set_table(table);
    setAccessibleName(QString::fromStdString(table.title));
    resizeColumnsToContents();
    for (int c = 0; c < model_.columnCount(); ++c) setColumnWidth(c, columnWidth(c) + 16);
    horizontalHeader()->setStretchLastSection(model_.columnCount() > 0 && !table.numeric(table.columns.size() - 1));
}

void TableView::sort_next(int column) {
    if (column != sort_column_) {
        sort_column_ = column;
        order_ = Qt::AscendingOrder;
    } else if (order_ == Qt::AscendingOrder) {
        order_ = Qt::DescendingOrder;
    } else {
        sort_column_ = -1;
    }
    horizontalHeader()->setSortIndicatorShown(sort_column_ >= 0);
    horizontalHeader()->setSortIndicator(sort_column_, order_);
    sorted_.sort(sort_column_, order_);
}

Table TableView::shown_table() const {
    std::set<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows()) rows.insert(index.row());
    Table result;
    result.title = table().title;
    result.columns = table().columns;
    for (int row = 0; row < sorted_.rowCount(); ++row)
        if (rows.empty() || rows.contains(row))
            result.rows.push_back(table().rows[std::size_t(sorted_.mapToSource(sorted_.index(row, 0)).row())]);
    return result;
}

QString TableView::text(Format format) const {
    const Table shown = shown_table();
    switch (format) {
        case Format::Markdown:
            return QString::fromStdString(shown.to_markdown());
        case Format::Latex:
            return QString::fromStdString(shown.to_latex());
        case Format::Csv:
            return QString::fromStdString(shown.to_csv());
        case Format::Tabs:
            break;
    }
    return with_tabs(shown);
}

void TableView::copy(Format format) const { QGuiApplication::clipboard()->setText(text(format)); }

void TableView::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) copy(Format::Tabs);
    else QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Copy"), this, [this] { copy(Format::Tabs); });
    menu.addAction(tr("Copy as Markdown"), this, [this] { copy(Format::Markdown); });
    menu.addAction(tr("Copy as LaTeX"), this, [this] { copy(Format::Latex); });
    menu.addAction(tr("Copy as CSV"), this, [this] { copy(Format::Csv); });
    for (QAction* action : menu.actions()) action->setEnabled(model_.rowCount() > 0);
    menu.exec(event->globalPos());
}

}  // namespace suture
