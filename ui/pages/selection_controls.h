// SPDX-License-Identifier: GPL-3.0-or-later
// The controls beside the Selection page: how many layers, which criteria to run, and what to measure.
#pragma once

#include <QWidget>
#include <map>

#include "ui/pages/settings_form.h"
#include "ui/session/selection_choice.h"

class QSlider;

namespace suture {

class RunControls;
class SelectionBoard;
class SelectionSearch;
class Session;
class Results;
struct Document;

class SelectionControls : public QWidget {
    Q_OBJECT
public:
    SelectionControls(Session& session, Results& results, SelectionBoard& board, QWidget* parent);
    void refresh();

    bool agreement_of_scores() const;
    /// "layers" or "parameters".
    QString size() const;

Q_SIGNALS:
    /// The slider stands at so many layers while it is dragged; -1: it no longer is.
    void looked_at(int count);
    /// The choice of what the plots show has changed.
    void view_changed();

private:
    ControlPanel* add_panel(const QString& name);
    void make_size();
    void make_criteria();
    void make_measure();
    void make_view();
    void make_sharing();
    void show_size();
    void show_criteria();
    void slide(int count);
    void choose(int count);
    void change(const std::function<void(SelectionChoice&)>& edit, const QString& text, const QString& control);

    Session& session_;
    Results& results_;
    SelectionBoard& board_;
    QSlider* slider_;
    QLabel *slider_note_, *memory_note_;
    QSpinBox *length_, *windows_;
    std::map<std::string, QPushButton*> criteria_;
    QPushButton *all_, *mergekit_, *prune_layers_;
    QComboBox *agreement_, *size_;
    RunControls* measure_;
    SelectionSearch* search_;
};

}  // namespace suture
