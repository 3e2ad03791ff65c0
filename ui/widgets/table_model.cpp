// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table_model.h"

#include <cmath>

namespace suture {
namespace {

QVariant sort_value(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return QString::fromStdString(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return double(*whole);
    if (const auto* value = std::get_if<double>(&cell); value && !std::isnan(*value)) return *value;
    return {};
}

}  // namespace

void TableModel::set_table(Table table) {
    beginResetModel();
    table_ = std::move(table);
    endResetModel();
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(table_.rows.size()); }
int TableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(table_.columns.size()); }

QVariant TableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = std::size_t(index.row()), column = std::size_t(index.column());
    switch (role) {
        case Qt::DisplayRole:
            return QString::fromStdString(table_.text(row, column));
        case Qt::TextAlignmentRole:
            return int((table_.numeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::ToolTipRole: {
            const std::string note = table_.note(row, column);
            return note.empty() ? QVariant() : QString::fromStdString(note);
        }
        case SortRole:
            return sort_value(table_.rows[row][column]);
        default:
            return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const auto column = std::size_t(section);
    if (section < 0 || column >= table_.columns.size()) return {};
    if (role == Qt::DisplayRole) return QString::fromStdString(table_.columns[column].title);
    if (role == Qt::TextAlignmentRole) return int((table_.numeric(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

}  // namespace suture
