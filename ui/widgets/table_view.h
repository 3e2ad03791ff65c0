// SPDX-License-Identifier: GPL-3.0-or-later
// A table a person can sort and copy.
#pragma once

#include <QSortFilterProxyModel>
#include <QTableView>

#include "ui/widgets/table_model.h"

namespace suture {

/// Shows a Table read-only. A click on a title sorts by value; a third one restores the given order. Ctrl+C copies as text with
/// tabs; the context menu also copies as Markdown, LaTeX and CSV. What is copied: the selected rows, or all when none is selected.
class TableView : public QTableView {
    Q_OBJECT
public:
    enum class Format { Tabs, Markdown, Latex, Csv };

    explicit TableView(QWidget* parent = nullptr);

    void set_table(const Table& table);
    const Table& table() const { return model_.table(); }

    /// The rows that a copy takes, in the order shown.
    Table shown_table() const;
    QString text(Format format) const;
    void copy(Format format) const;

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void sort_next(int column);

    TableModel model_;
    QSortFilterProxyModel sorted_;
    int sort_column_ = -1;
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace suture
