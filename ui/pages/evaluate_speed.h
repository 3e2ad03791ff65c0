// SPDX-License-Identifier: GPL-3.0-or-later
// Page Evaluate, view Speed: how much faster and smaller is it?
#pragma once

#include "core/figures/speed.h"
#include "ui/pages/page_view.h"
#include "ui/pages/settings_form.h"
#include "ui/session/measure_jobs.h"

class QLabel;

namespace suture {

class PlotWidget;
class RunControls;
class TitledTable;

class EvaluateSpeed : public PageView {
    Q_OBJECT
public:
    EvaluateSpeed(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    Key dense_key() const;
    Key key() const;
    void start();
    std::vector<VariantLabel> labels() const;

    Live<SpeedSet> live_;
    PlotWidget *prefill_, *decode_;
    TitledTable* table_;
    QLabel* stale_;
    ControlPanel* controls_;
    RunControls* run_;
    std::unique_ptr<SettingsForm<SpeedSettings>> form_;
};

}  // namespace suture
