// SPDX-License-Identifier: GPL-3.0-or-later
// Page Evaluate, view Tasks: which abilities did it cost?
#pragma once

#include "ui/pages/page_view.h"
#include "ui/pages/watched.h"
#include "ui/session/measure_jobs.h"

class QLabel;

namespace suture {

class ControlPanel;
class PlotWidget;
class RunControls;
class TaskList;
class TitledTable;

class EvaluateTasks : public PageView {
    Q_OBJECT
public:
    EvaluateTasks(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    Key dense_key() const;
    Key key() const;
    QString obstacle() const;
    void want_estimate();
    void start();
    double seconds() const;
    /// Questions, remarks about files, and how far a run has come.
    QString words() const;
    std::vector<TaskScores> rows() const;

    Live<TaskEstimate> estimate_;
    Watched<TaskSet> scores_;
    PlotWidget* bars_;
    TitledTable* table_;
    QLabel *stale_, *note_;
    ControlPanel* controls_;
    RunControls* run_;
    TaskList* list_;
};

}  // namespace suture
