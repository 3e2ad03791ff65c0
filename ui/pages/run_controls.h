// SPDX-License-Identifier: GPL-3.0-or-later
// The button that starts and stops a measurement, and below it what goes on or stands in the way.
#pragma once

#include <QObject>

#include "ui/jobs/live.h"

class QLabel;
class QPushButton;

namespace suture {

class ControlPanel;

class RunControls : public QObject {
    Q_OBJECT
public:
    /// Adds a button "button" and a note "state" to the panel. `help` says what the button does.
    RunControls(ControlPanel& panel, Lanes& lanes, LiveBase& live, QString help);
    /// `verb`: on the button while nothing runs. `obstacle`: why it can't be started; empty: it can. `seconds`: about how long it
    /// would take; negative: unknown.
    void show(const QString& verb, const QString& obstacle, double seconds);

    /// Other words for the button while it runs.
    void set_stop(const QString& text, const QString& help);

Q_SIGNALS:
    void start();

private:
    void click();
    void show_progress();

    LiveBase& live_;
    QString help_, stop_text_, stop_help_;
    QPushButton* button_;
    QLabel* state_;
};

}  // namespace suture
