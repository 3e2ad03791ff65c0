// SPDX-License-Identifier: GPL-3.0-or-later
// Page Repair, view "Fine-tuning": the repair in force learns from the dense model.
#pragma once

#include <QTimer>
#include <memory>

#include "ui/pages/page_view.h"
#include "ui/pages/settings_form.h"
#include "ui/session/recipe_jobs.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace suture {

class ControlPanel;
class PlotWidget;
class RunControls;
class TitledTable;

class RepairFineTune : public PageView {
    Q_OBJECT
public:
    RepairFineTune(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    bool compares_repairs() const override { return false; }
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    void make_settings();
    void want_cost();
    QString obstacle() const;
    /// What came of it, and whether it is in force.
    QString outcome_words() const;
    void show_advanced(bool shown);
    void look();

    Live<FineTuningCost> cost_;
    QTimer watch_;
    std::int64_t seen_ = 0;
    PlotWidget* curves_;
    TitledTable* facts_;
    QLabel *stale_, *outcome_, *cost_note_;
    ControlPanel *controls_, *advanced_;
    RunControls* run_;
    QPushButton* unfold_;
    QComboBox* axis_;
    QCheckBox* use_;
    std::unique_ptr<SettingsForm<DistilSettings>> form_, advanced_form_;
};

}  // namespace suture
