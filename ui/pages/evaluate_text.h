// SPDX-License-Identifier: GPL-3.0-or-later
// Page Evaluate, view Text: how surprised is the model by a text?
#pragma once

#include "ui/pages/evaluation_cost.h"
#include "ui/pages/page_view.h"

class QLabel;
class QPushButton;
class QSpinBox;

namespace suture {

class ControlPanel;
class PlotWidget;
class RollingPart;
class TitledTable;
class WindowLook;

class EvaluateText : public PageView {
    Q_OBJECT
public:
    EvaluateText(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    QWidget* make_companions();
    void make_controls();
    void change_windows();
    void choose_text();
    void want_size();
    void show_controls();
    void show_button();
    QString size_words() const;
    /// What is stale about the numbers shown; empty: nothing.
    QString stale() const;

    Live<EvaluationSize> size_;
    PlotWidget* bars_;
    WindowLook* windows_look_;
    TitledTable* table_;
    RollingPart* rolling_;
    QLabel* stale_;
    ControlPanel* controls_;
    QPushButton *text_, *evaluate_;
    QSpinBox* windows_;
    QLabel *size_note_, *obstacle_;
};

}  // namespace suture
