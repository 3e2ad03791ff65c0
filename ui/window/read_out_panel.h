// SPDX-License-Identifier: GPL-3.0-or-later
// On the right: the numbers of the shown seam, and the data under the cursor.
#pragma once

#include <QWidget>

#include "ui/session/results.h"

class QComboBox;
class QGridLayout;
class QLabel;

namespace suture {

class ReadOutPanel : public QWidget {
    Q_OBJECT
public:
    ReadOutPanel(Session& session, Results& results, QWidget* parent = nullptr);
    void refresh();
    /// The data under the cursor; empty when the cursor left.
    void show_hovered(const QString& text);

private:
    void show_seams();
    void show_numbers();
    void add(const QString& caption, const QString& value);

    Session& session_;
    Results& results_;
    QLabel* cut_;
    QComboBox* seam_;
    QGridLayout* grid_;
    QLabel* hovered_;
};

}  // namespace suture
