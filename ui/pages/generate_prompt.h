// SPDX-License-Identifier: GPL-3.0-or-later
// Page Generate, view Prompt: what do the variants write behind the same words?
#pragma once

#include "ui/pages/page_view.h"
#include "ui/pages/sampling_form.h"
#include "ui/pages/text_panes.h"
#include "ui/pages/watched.h"
#include "ui/session/measure_jobs.h"

class QLabel;
class QPlainTextEdit;

namespace suture {

class PlotWidget;
class RunControls;
class TitledTable;

class GeneratePrompt : public PageView {
    Q_OBJECT
public:
    GeneratePrompt(Session& session, Results& results, QWidget* parent);
    QWidget* controls() override;
    void expect() override;
    void refresh() override;
    std::vector<Figure> figures() const override;
    std::vector<Table> tables() const override;

private:
    QWidget* make_prompt();
    void make_controls();
    void change(const std::function<void(PromptChoice&)>& edit, const QString& step);
    Key dense_key() const;
    Key key() const;
    QString obstacle() const;
    double seconds() const;
    void start();
    std::vector<VariantLabel> labels() const;
    std::vector<TextPane> panes() const;

    Watched<TextSet> texts_;
    QPlainTextEdit* prompt_;
    TextPanes* panes_;
    PlotWidget* losses_;
    TitledTable* table_;
    QLabel* stale_;
    ControlPanel* controls_;
    RunControls* run_;
    QCheckBox* chat_;
    std::unique_ptr<SettingsForm<GenerationSettings>> sampling_;
};

}  // namespace suture
