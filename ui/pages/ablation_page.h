// SPDX-License-Identifier: GPL-3.0-or-later
// Which repair wins, over numbers of layers, texts, criteria and models?
#pragma once

#include "core/study/ablation.h"
#include "ui/pages/page.h"
#include "ui/pages/watched.h"

class QLabel;
class QPushButton;

namespace suture {

class AblationForm;
class AblationSlices;
class ControlPanel;
class PlotWidget;
class RunControls;
class TitledTable;

class AblationPage : public Page {
    Q_OBJECT
public:
    AblationPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

    AblationForm& form() { return *form_; }
    AblationSlices& slices() { return *slices_; }

private:
    QWidget* make_copy();
    void read_spec();
    void want_plan();
    Key key() const;
    QString obstacle() const;
    void start();
    /// What will run, and how far it has come.
    QString words() const;
    void show_controls();
    void show_results();

    std::optional<AblationSpec> spec_;  // of the document; nothing: problem_ tells why
    QString problem_;
    QString file_problem_;  // with a specification's file, until something changes
    Live<AblationPlan> plan_;
    Watched<Ablation> ablation_;
    PlotWidget* plot_;
    TitledTable *rows_, *wins_, *domains_;
    QLabel *stale_, *note_;
    AblationSlices* slices_;
    ControlPanel* controls_;
    RunControls* run_;
    AblationForm* form_;
    std::vector<QPushButton*> copy_;
};

}  // namespace suture
