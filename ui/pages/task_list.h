// SPDX-License-Identifier: GPL-3.0-or-later
// The controls that say which tasks are scored: a folder, a box per task, and a file of own questions.
#pragma once

#include "ui/pages/settings_form.h"
#include "ui/session/session.h"

class QGridLayout;
class QPushButton;

namespace suture {

class TaskList : public QObject {
    Q_OBJECT
public:
    TaskList(ControlPanel& panel, Session& session);
    void show();

private:
    void add_box(const QString& name, const QString& label, const QString& help);
    /// For chosen names that are no task's own, e.g. one subject of MMLU: a session or a recipe may hold them.
    void add_missing_boxes();
    void change(const QString& step, const std::function<void(TaskChoice&)>& edit);
    void choose_folder();
    /// Adds a file of own questions, or takes the one that is there away.
    void change_own();
    void change_names();

    Session& session_;
    ControlPanel& panel_;
    QPushButton *folder_, *own_;
    QGridLayout* grid_;
    std::vector<QCheckBox*> boxes_;
    std::unique_ptr<SettingsForm<TaskSettings>> form_;
};

}  // namespace suture
