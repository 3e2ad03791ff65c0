// SPDX-License-Identifier: GPL-3.0-or-later
// The line below the menus: which model, and what the numbers rest on.
#pragma once

#include <QWidget>

#include "ui/session/results.h"
#include "ui/window/labels.h"

namespace suture {

class ContextLine : public QWidget {
    Q_OBJECT
public:
    ContextLine(Session& session, Results& results, QWidget* parent = nullptr);
    void refresh();

private:
    QString conditions() const;
    QString text_words(const TextSource& source) const;

    Session& session_;
    Results& results_;
    ElidedLabel* model_;
    ElidedLabel* conditions_;
};

}  // namespace suture
