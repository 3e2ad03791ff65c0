// SPDX-License-Identifier: GPL-3.0-or-later
// Page Generate, view Check answers: do they still come to the right answers?
#pragma once

#include "ui/pages/page_view.h"
#include "ui/pages/sampling_form.h"
#include "ui/pages/text_panes.h"
#include "ui/pages/watched.h"
#include "ui/session/measure_jobs.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace suture {

class RunControls;
class TitledTable;

class GenerateAnswers : public PageView {
    Q_OBJECT
public:
    GenerateAnswers(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override { return {}; }
    std::vector<Table> tables() const override;

private:
    void make_controls();
    void change(const std::function<void(AnswerChoice&)>& edit, const QString& step);
    void choose_file();
    Key dense_key() const;
    Key key() const;
    QString obstacle() const;
    void want_size();
    double seconds() const;
    void start();
    void choose_problem();
    void show_problem();
    void show_controls();

    Live<ProblemsSize> size_;
    Watched<AnswerSet> answers_;
    std::size_t problem_ = 0;  // whose texts are shown
    TitledTable *scores_, *problems_;
    TextPanes* panes_;
    QLabel* stale_;
    ControlPanel* controls_;
    RunControls* run_;
    QPushButton* file_;
    QSpinBox* limit_;
    QCheckBox* chat_;
    QLineEdit* instruction_;
    std::unique_ptr<SettingsForm<GenerationSettings>> sampling_;
};

}  // namespace suture
