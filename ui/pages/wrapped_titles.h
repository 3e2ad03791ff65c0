// SPDX-License-Identifier: GPL-3.0-or-later
// Long column titles on two lines, so that tables of numbers stay narrow.
#pragma once

#include <QIdentityProxyModel>

namespace suture {

/// For the header of a view whose cells come from `cells`; copies and saved tables keep the title on one line.
class WrappedTitles : public QIdentityProxyModel {
    Q_OBJECT
public:
    explicit WrappedTitles(QAbstractItemModel* cells);
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
};

/// The title with its middle-most space turned into a line feed when it is long.
QString wrapped_title(const QString& title);

}  // namespace suture
