// SPDX-License-Identifier: GPL-3.0-or-later
// How pages arrange their plots and tables.
#pragma once

#include <QSplitter>
#include <QVBoxLayout>
#include <initializer_list>
#include <utility>

namespace suture {

/// Parts side by side (or one above the other) that a person can resize; the numbers are their shares of the room.
inline QSplitter* make_split(Qt::Orientation orientation, std::initializer_list<std::pair<QWidget*, int>> parts, QWidget* parent) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(8);
    QList<int> sizes;
    for (const auto& [widget, share] : parts) {
        splitter->addWidget(widget);
        splitter->setStretchFactor(splitter->count() - 1, share);
        sizes << 1000 * share;  // more than any minimum, so that the shares hold
    }
    splitter->setSizes(sizes);
    return splitter;
}

/// Fills the page with one widget, without a border.
inline void fill_page(QWidget* page, QWidget* content) {
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(content);
}

}  // namespace suture
