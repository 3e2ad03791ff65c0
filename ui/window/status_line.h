// SPDX-License-Identifier: GPL-3.0-or-later
// One line at the bottom: what runs, how fast, how long still, how much memory; a click opens the jobs panel.
#pragma once

#include <QFrame>
#include <QTimer>

#include "ui/jobs/lanes.h"
#include "ui/window/labels.h"

class QProgressBar;
class QPushButton;

namespace suture {

class StatusLine : public QFrame {
    Q_OBJECT
public:
    explicit StatusLine(Lanes& lanes, QWidget* parent = nullptr);
    /// Cancels the job that is shown.
    void cancel();

Q_SIGNALS:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void job_changed(int id);
    void refresh();
    void show_memory();

    Lanes& lanes_;
    ElidedLabel* words_;
    QProgressBar* bar_;
    QLabel* memory_;
    QPushButton* cancel_;
    QTimer tick_;
    QString last_;  // how the last job ended
    int shown_ = 0;
};

}  // namespace suture
