// SPDX-License-Identifier: GPL-3.0-or-later
// Page Repair, view "Which is best?": every kind fitted on one part of the calibration windows and judged on the other.
#pragma once

#include "core/repair/recommend.h"
#include "ui/pages/page_view.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace suture {

class ControlPanel;
class PlotWidget;
class RunControls;
class TitledTable;

class RepairRecommend : public PageView {
    Q_OBJECT
public:
    RepairRecommend(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    bool compares_repairs() const override { return false; }
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    Key key() const;
    TrialSettings trials() const;
    /// Every way of massive tokens is the same ways whichever the document has.
    RepairSettings compared_settings() const;
    QString obstacle() const;
    double seconds() const;
    void start();
    /// Takes a trial's kind and what it does with massive tokens into the document.
    void adopt(std::size_t trial);
    void show_adopt();

    Live<Recommendation> live_;
    PlotWidget* ratios_;
    TitledTable* trials_;
    QLabel *stale_, *reason_;
    ControlPanel* controls_;
    RunControls* run_;
    QCheckBox *each_, *ticked_;
    QPushButton* adopt_;
};

}  // namespace suture
