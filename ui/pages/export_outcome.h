// SPDX-License-Identifier: GPL-3.0-or-later
// What came of an export: the folder opened again and compared with memory, and what to mind about it.
#pragma once

#include "core/export/export.h"
#include "ui/pages/paper_box.h"
#include "ui/session/results.h"

namespace suture {

class ExportOutcome : public PaperBox {
    Q_OBJECT
public:
    ExportOutcome(const Live<ExportResult>& exported, QWidget* parent);
    /// What of the export is known now.
    void show_outcome();
    /// `plan` null: nothing is known to mind.
    void show_warnings(const ExportPlan* plan);

private:
    QString words() const;

    const Live<ExportResult>& exported_;
    QLabel *outcome_, *warnings_;
};

}  // namespace suture
