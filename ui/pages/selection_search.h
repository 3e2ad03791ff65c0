// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of the search for layers: its budget, what it may not touch, and how far it has come.
#pragma once

#include "ui/pages/settings_form.h"
#include "ui/session/selection_choice.h"

class QLabel;

namespace suture {

class Results;
class RunControls;
class SelectionBoard;
class Session;

class SelectionSearch : public QObject {
    Q_OBJECT
public:
    SelectionSearch(ControlPanel& panel, Session& session, Results& results, SelectionBoard& board);
    void show();

private:
    void make_budget();
    void make_protection();
    void change(const std::function<void(SelectionChoice&)>& edit, const QString& text, const QString& control);
    void change_unit();
    void show_budget();
    void show_protection();
    void show_found();

    ControlPanel& panel_;
    Session& session_;
    Results& results_;
    SelectionBoard& board_;
    QComboBox* unit_;
    QDoubleSpinBox *amount_, *layers_ms_;
    QSpinBox* ends_;
    QCheckBox *massive_, *repair_;
    QLabel *protected_note_, *massive_note_, *found_note_;
    std::unique_ptr<SettingsForm<SearchSettings>> form_;
    RunControls* run_;
};

}  // namespace suture
