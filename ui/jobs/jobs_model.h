// SPDX-License-Identifier: GPL-3.0-or-later
// The jobs of all lanes as an item model, newest first.
#pragma once

#include <QAbstractTableModel>

#include "ui/jobs/lanes.h"

namespace suture {

class JobsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Title, State, Time, Remark, Columns };
    /// The job's number.
    static constexpr int IdRole = Qt::UserRole;
    /// Message and details of a failure, else empty.
    static constexpr int DetailsRole = Qt::UserRole + 1;

    explicit JobsModel(Lanes& lanes, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void add(int id);
    void update(int id);
    void remove(int id);
    int row_of(int id) const;

    Lanes& lanes_;
    std::vector<int> ids_;  // oldest first
};

}  // namespace suture
