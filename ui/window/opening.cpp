// SPDX-License-Identifier: GPL-3.0-or-later
// How models and texts get into the window: dialogs, drops, the sample.
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>

#include "ui/window/main_window.h"

namespace suture {
namespace {

/// The local file or folder that is dragged; empty: there is none.
std::filesystem::path dragged(const QMimeData& data) {
    for (const QUrl& url : data.urls())
        if (url.isLocalFile()) return url.toLocalFile().toStdString();
    return {};
}

}  // namespace

void MainWindow::open_model(const std::filesystem::path& folder, const TextSource& calibration, const TextSource& evaluation) {
    session_.open(folder, calibration, evaluation);
}

void MainWindow::open_sample() { open_model(sample_); }

void MainWindow::ask_for_model() {
    auto* dialog = new QFileDialog(this, tr("Open a model: the folder with config.json and the safetensors files"));
    dialog->setObjectName(QStringLiteral("dialog.model"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) { open_model(folder.toStdString()); });
    dialog->open();
}

void MainWindow::ask_for_calibration_text() { ask_for_text(tr("Calibration text"), &Document::calibration); }

void MainWindow::ask_for_evaluation_text() { ask_for_text(tr("Evaluation text"), &Document::evaluation); }

void MainWindow::ask_for_text(const QString& title, TextSource Document::*which) {
    auto* dialog = new QFileDialog(this, title);
    dialog->setObjectName(QStringLiteral("dialog.text"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Texts (*.txt *.md)"), tr("Token ids (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this, title, which](const QString& name) {
        const std::filesystem::path file = name.toStdString();
        Document after = session_.document();
        after.*which = file.extension() == ".json" ? TextSource{{}, file} : TextSource{file, {}};
        session_.change(std::move(after), title + QLatin1Char(' ') + QString::fromStdString(file.filename().string()));
    });
    dialog->open();
}

void MainWindow::ask_for_scales() {
    auto* dialog = new QFileDialog(this, tr("Import LinearPatch scales: a scales.pt of the published scripts"));
    dialog->setObjectName(QStringLiteral("dialog.scales"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("LinearPatch scales (*.pt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& name) { results_.import_scales(name.toStdString()); });
    dialog->open();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!dragged(*event->mimeData()).empty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const auto path = dragged(*event->mimeData());
    if (path.empty()) return;
    event->acceptProposedAction();
    open_model(path);
}

}  // namespace suture
