// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/export_loading.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPlainTextEdit>
#include <QPushButton>

namespace suture {

ExportLoading::ExportLoading(QWidget* parent)
    : PaperBox(tr("Loading it in Python"), parent), lines_(new QPlainTextEdit(this)), copy_(new QPushButton(tr("&Copy"), this)) {
    lines_->setObjectName(QStringLiteral("export.python"));
    lines_->setReadOnly(true);
    lines_->setFrameShape(QFrame::NoFrame);
    lines_->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    lines_->document()->setDocumentMargin(0);
    lines_->setMaximumHeight(8 * lines_->fontMetrics().lineSpacing());
    lines_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    lines_->setAccessibleName(tr("Python lines that load the exported model"));
    copy_->setObjectName(QStringLiteral("export.copy"));
    copy_->setToolTip(tr("Copy the Python lines"));
    copy_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(copy_, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(lines_->toPlainText()); });
    fill({lines_, copy_});
}

void ExportLoading::show_lines(const QString& lines) {
    lines_->setPlainText(lines);
    copy_->setEnabled(!lines.isEmpty());
}

}  // namespace suture
