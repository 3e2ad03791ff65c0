// SPDX-License-Identifier: GPL-3.0-or-later
// What did it cost, what did it bring back?
#pragma once

#include <vector>

#include "ui/pages/evaluation_cost.h"
#include "ui/pages/page.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace suture {

class ControlPanel;
class PlotWidget;
class TitledTable;

class EvaluatePage : public Page {
    Q_OBJECT
public:
    EvaluatePage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    void change_repairs();
    void change_windows();
    void choose_text();
    void want_size();
    void show_controls();
    void show_button();
    QString size_words() const;
    /// What is stale about the numbers shown; empty: nothing.
    QString stale_words() const;

    Live<EvaluationSize> size_;
    PlotWidget *bars_, *windows_plot_;
    TitledTable* table_;
    QLabel* stale_;
    ControlPanel* controls_;
    std::vector<QCheckBox*> kinds_;  // in the order of repair_kinds()
    QPushButton *text_, *evaluate_;
    QSpinBox* windows_;
    QLabel *size_note_, *obstacle_;
};

}  // namespace suture
