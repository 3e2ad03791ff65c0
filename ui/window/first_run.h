// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no model is open: what to do.
#pragma once

#include <QWidget>

class QVBoxLayout;

namespace suture {

class FirstRun : public QWidget {
    Q_OBJECT
public:
    explicit FirstRun(QWidget* parent = nullptr);
    /// Lists the recent models anew.
    void refresh();

Q_SIGNALS:
    void open_requested();
    void sample_requested();
    void recent_requested(QString folder);

private:
    QVBoxLayout* recent_;
};

}  // namespace suture
