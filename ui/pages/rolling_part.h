// SPDX-License-Identifier: GPL-3.0-or-later
// Word and byte perplexity of a whole file, beside the perplexity of windows.
#pragma once

#include "ui/pages/evaluation_cost.h"
#include "ui/pages/settings_form.h"
#include "ui/session/measure_jobs.h"

class QLabel;
class QPushButton;

namespace suture {

class RunControls;
class TitledTable;

class RollingPart : public QWidget {
    Q_OBJECT
public:
    /// Adds its controls to `panel` of the view.
    RollingPart(ControlPanel& panel, Session& session, Results& results, QWidget* parent);
    void expect();
    void refresh();
    Table table() const;

Q_SIGNALS:
    /// A person started it.
    void asked();

private:
    Key key() const;
    Key dense_key() const;
    QString obstacle() const;
    void want_size();
    double seconds() const;
    void choose_file();
    void start();

    Session& session_;
    Results& results_;
    Live<EvaluationSize> size_;  ///< of the file
    Live<RollingSet> live_;
    TitledTable* table_;
    QLabel* stale_;
    QPushButton* file_;
    std::unique_ptr<SettingsForm<RollingSettings>> form_;
    RunControls* run_;
};

}  // namespace suture
