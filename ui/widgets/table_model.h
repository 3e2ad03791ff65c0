// SPDX-License-Identifier: GPL-3.0-or-later
// A Table as a read-only item model; a cell's note is its tool tip.
#pragma once

#include <QAbstractTableModel>

#include "core/base/table.h"

namespace suture {

class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// The value to sort by: a number, a text, or nothing for an empty cell, which sorts behind all others.
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void set_table(Table table);
    const Table& table() const { return table_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    Table table_;
};

}  // namespace suture
