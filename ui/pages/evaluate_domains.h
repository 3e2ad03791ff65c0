// SPDX-License-Identifier: GPL-3.0-or-later
// Page Evaluate, view Domains: does a patch help on other texts than the one it was fitted on?
#pragma once

#include "core/figures/domains.h"
#include "ui/pages/page_view.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace suture {

class ControlPanel;
class PlotWidget;
class RunControls;
class TitledTable;

class EvaluateDomains : public PageView {
    Q_OBJECT
public:
    EvaluateDomains(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    bool compares_repairs() const override { return false; }
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    void make_controls();
    Key key() const;
    QString obstacle() const;
    void start();
    void add_texts();
    void remove_text();
    void change(const std::vector<std::filesystem::path>& texts, const QString& step);
    void show_texts();

    Live<DomainMatrix> live_;
    PlotWidget* map_;
    TitledTable* table_;
    QLabel* stale_;
    ControlPanel* controls_;
    RunControls* run_;
    QComboBox* kind_;
    QListWidget* texts_;
    QSpinBox* windows_;
    QPushButton *add_, *remove_;
};

}  // namespace suture
