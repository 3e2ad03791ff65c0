// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/check_table.h"

#include <QHeaderView>
#include <QSignalBlocker>

namespace suture {

CheckTable::CheckTable(const QString& name, const QStringList& titles, int shown_rows, QWidget* parent)
    : QTableWidget(0, int(titles.size()), parent) {
    setObjectName(name);
    setHorizontalHeaderLabels(titles);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    QHeaderView* header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(30);
    for (int c = 0; c < titles.size(); ++c) header->setSectionResizeMode(c, c == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    setFixedHeight(header->sizeHint().height() + shown_rows * verticalHeader()->defaultSectionSize() + 2 * frameWidth());
    connect(this, &QTableWidget::itemChanged, this, &CheckTable::take);
}

void CheckTable::show_rows(const std::vector<Row>& rows) {
    if (rows == rows_ && rowCount() == int(rows.size())) return;
    const QSignalBlocker silent(this);
    const int row_before = currentRow();
    rows_ = rows;
    setRowCount(int(rows.size()));
    for (int r = 0; r < rowCount(); ++r) {
        const Row& row = rows_[std::size_t(r)];
        auto* name = new QTableWidgetItem(row.name);
        name->setToolTip(row.tip);
        name->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | (editable_ ? Qt::ItemIsEditable : Qt::NoItemFlags));
        setItem(r, 0, name);
        for (int c = 1; c < columnCount(); ++c) {
            auto* box = new QTableWidgetItem;
            const bool there = c - 1 < int(row.ticked.size());  // a row may lack boxes at its end
            box->setFlags(there ? Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable : Qt::NoItemFlags);
            if (there) box->setCheckState(row.ticked[std::size_t(c - 1)] ? Qt::Checked : Qt::Unchecked);
            box->setToolTip(row.tip);
            setItem(r, c, box);
        }
    }
    setCurrentCell(std::min(row_before, rowCount() - 1), 0);
}

void CheckTable::take(QTableWidgetItem* item) {
    Row& row = rows_[std::size_t(item->row())];
    if (item->column() == 0) row.name = item->text().trimmed();
    else row.ticked[std::size_t(item->column() - 1)] = item->checkState() == Qt::Checked;
    Q_EMIT edited();
}

}  // namespace suture
