// SPDX-License-Identifier: GPL-3.0-or-later
// What will others get?
#pragma once

#include "core/export/export.h"
#include "ui/pages/page.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace suture {

class ControlPanel;
class ExportLoading;
class ExportOutcome;
class FormChoice;
class TitledTable;

class ExportPage : public Page {
    Q_OBJECT
public:
    ExportPage(Session& session, Results& results);
    QWidget* controls() override;
    void refresh() override;
    std::vector<Table> tables() const override;

private:
    QWidget* make_target();
    void make_controls();
    void browse();
    void change_folder(const QString& folder);
    void change_files();
    void want_plan();
    void show_controls();
    void show_plan();
    /// The folder typed or chosen, or a name for one in the home folder that would suit.
    std::filesystem::path target() const;
    /// Why the folder given can't be written; empty: it can, or none is given.
    std::string problem() const;
    /// Why the button is disabled; empty: it is not.
    QString obstacle() const;
    /// Why there is no list of files yet.
    QString no_plan_words() const;
    std::shared_ptr<const ExportPlan> plan() const;

    Live<ExportPlan> plan_;
    QLineEdit* folder_;
    QPushButton *browse_, *export_;
    TitledTable *files_, *config_;
    ExportLoading* loading_;
    ExportOutcome* outcome_;
    QLabel *in_force_, *problem_;
    ControlPanel* controls_;
    QComboBox* repair_;
    FormChoice* form_;
    QDoubleSpinBox* shard_;
    QCheckBox* overwrite_;
};

}  // namespace suture
