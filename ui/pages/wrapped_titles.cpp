// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/wrapped_titles.h"

#include <cstdlib>

namespace suture {

QString wrapped_title(const QString& title) {
    constexpr int longest = 16;  // characters on one line
    if (title.size() <= longest) return title;
    qsizetype best = -1;
    const auto off_middle = [&](qsizetype at) { return std::abs(2 * at + 1 - title.size()); };
    for (qsizetype at = title.indexOf(QLatin1Char(' ')); at >= 0; at = title.indexOf(QLatin1Char(' '), at + 1))
        if (best < 0 || off_middle(at) < off_middle(best)) best = at;
    return best < 0 ? title : title.left(best) + QLatin1Char('\n') + title.mid(best + 1);
}

WrappedTitles::WrappedTitles(QAbstractItemModel* cells) : QIdentityProxyModel(cells) { setSourceModel(cells); }

QVariant WrappedTitles::headerData(int section, Qt::Orientation orientation, int role) const {
    const QVariant value = QIdentityProxyModel::headerData(section, orientation, role);
    return role == Qt::DisplayRole && orientation == Qt::Horizontal ? QVariant(wrapped_title(value.toString())) : value;
}

}  // namespace suture
