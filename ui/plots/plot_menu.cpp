// SPDX-License-Identifier: GPL-3.0-or-later
// What the right mouse button offers over a plot.
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QMenu>
#include <QMessageBox>

#include "core/base/error.h"
#include "ui/plots/figure_export.h"
#include "ui/plots/plot_widget.h"

namespace suture {

QMenu* PlotWidget::make_menu() {
    auto* menu = new QMenu(this);
    const bool data = figure_.empty.empty() && visible_x();
    menu->addAction(tr("Copy image"), this, [this] { QGuiApplication::clipboard()->setImage(figure_image(figure_, size(), 2, view_)); });
    menu->addAction(tr("Copy data (CSV)"), this,
                    [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(figure_.to_csv())); });
    menu->addSeparator();
    for (const char* ending : {"png", "svg", "pdf", "csv"})
        menu->addAction(tr("Save as %1…").arg(QString(ending).toUpper()), this, [this, ending] { ask_and_save(ending); });
    menu->addSeparator();
    auto* log = menu->addAction(figure_.map ? tr("Log colours") : tr("Log axis"));
    log->setCheckable(true);
    log->setChecked(data && is_log(figure_, view_));
    connect(log, &QAction::toggled, this, &PlotWidget::set_log);
    auto* reset = menu->addAction(tr("Reset zoom"), this, &PlotWidget::reset_view);
    for (QAction* action : menu->actions()) action->setEnabled(data);
    log->setEnabled(data && can_be_log(figure_));
    reset->setEnabled(data && (view_.x || view_.y));
    return menu;
}

void PlotWidget::ask_and_save(const QString& ending) {
    const QString suggested = QString::fromStdString(figure_.id.empty() ? "figure" : figure_.id) + '.' + ending;
    QString path = QFileDialog::getSaveFileName(this, tr("Save figure"), suggested, tr("%1 file (*.%2)").arg(ending.toUpper(), ending));
    if (path.isEmpty()) return;
    if (!path.endsWith('.' + ending, Qt::CaseInsensitive)) path += '.' + ending;
    try {
        save_as(path);
    } catch (const Error& error) {
        QMessageBox::warning(this, tr("Save figure"), QString::fromUtf8(error.what()));
    }
}

}  // namespace suture
