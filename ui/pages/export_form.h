// SPDX-License-Identifier: GPL-3.0-or-later
// In which form the repaired model is written, and what each form asks of those who load it.
#pragma once

#include <QObject>

#include "core/export/export.h"
#include "core/repair/forms.h"
#include "ui/session/results.h"

class QComboBox;
class QLabel;

namespace suture {

class ControlPanel;

/// What `form` costs and needs, in sentences: whether code travels along, an untied head, a layer per seam.
std::string form_needs(const Model& model, const Repaired& repaired, Form form);

class FormChoice : public QObject {
    Q_OBJECT
public:
    /// Adds a combo "form" and a note "needs" to the panel.
    FormChoice(ControlPanel& panel, Session& session, Results& results);
    /// `plan`: of the export as it is chosen now; null: not known yet.
    void show(const ExportPlan* plan);

private:
    /// Forms that the repair does not have can't be chosen, and say why.
    void show_item(int row, const Repaired* repaired);

    Session& session_;
    Results& results_;
    QComboBox* form_;
    QLabel* needs_;
};

}  // namespace suture
