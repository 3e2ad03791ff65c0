// SPDX-License-Identifier: GPL-3.0-or-later
// How others load an exported model: Python lines to copy.
#pragma once

#include "ui/pages/paper_box.h"

class QPlainTextEdit;
class QPushButton;

namespace suture {

class ExportLoading : public PaperBox {
    Q_OBJECT
public:
    explicit ExportLoading(QWidget* parent);
    void show_lines(const QString& lines);

private:
    QPlainTextEdit* lines_;
    QPushButton* copy_;
};

}  // namespace suture
