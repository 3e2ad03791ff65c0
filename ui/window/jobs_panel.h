// SPDX-License-Identifier: GPL-3.0-or-later
// All jobs since the start, and why one failed.
#pragma once

#include <QWidget>

#include "ui/jobs/jobs_model.h"

class QPlainTextEdit;
class QTableView;

namespace suture {

class JobsPanel : public QWidget {
    Q_OBJECT
public:
    explicit JobsPanel(Lanes& lanes, QWidget* parent = nullptr);

private:
    void show_details();
    void cancel_selected();

    Lanes& lanes_;
    JobsModel model_;
    QTableView* table_;
    QPlainTextEdit* details_;
};

}  // namespace suture
