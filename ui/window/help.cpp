// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QVBoxLayout>

namespace suture {
namespace {

/// A window beside the main one; it blocks nothing.
void show_text(QWidget& window, const QString& name, const QString& title, const QString& html) {
    auto* dialog = new QDialog(&window);
    dialog->setObjectName(name);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* text = new QLabel(html, dialog);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setMinimumWidth(520);
    text->setOpenExternalLinks(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(text);
    column->addWidget(buttons);
    dialog->show();
}

QString table(const QString& heading, std::initializer_list<std::pair<QString, QString>> rows) {
    QString html = QStringLiteral("<h4>%1</h4><table cellpadding='2'>").arg(heading);
    for (const auto& [keys, meaning] : rows)
        html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>").arg(keys, meaning);
    return html + QStringLiteral("</table>");
}

}  // namespace

void show_keyboard_help(QWidget& window) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Help", text); };
    const QString strip = table(tr("Layers"), {{tr("Click, Space"), tr("remove or keep a layer")},
                                               {tr("Drag"), tr("a range gets the state of its first layer")},
                                               {tr("P, right click"), tr("protects a layer from criteria and searches")},
                                               {tr("Shift+click"), tr("extends from the layer clicked last")},
                                               {tr("13-18 Enter"), tr("removes exactly these; lists like 3,7-9 work too")},
                                               {tr("Up, Down, Home, End"), tr("move the focus")}});
    const QString plots = table(tr("Plots"), {{tr("Wheel"), tr("zooms at the cursor; over an axis only that axis")},
                                              {tr("Drag"), tr("zooms into a rectangle; with Ctrl or the middle button it pans")},
                                              {tr("Double click, Home"), tr("shows everything again")},
                                              {tr("Right click"), tr("copies and saves picture and data")}});
    const QString window_keys = table(tr("Window"), {{tr("Ctrl+1 …"), tr("the pages")},
                                                     {tr("F5, F6"), tr("calibrate, evaluate")},
                                                     {tr("Ctrl+."), tr("cancels what runs")},
                                                     {tr("Ctrl+Z, Ctrl+Shift+Z"), tr("undo, redo")},
                                                     {tr("Ctrl+J"), tr("all jobs")}});
    show_text(window, QStringLiteral("help.keyboard"), tr("Keyboard and mouse"), strip + plots + window_keys);
}

void show_about(QWidget& window) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Help", text); };
    show_text(
        window, QStringLiteral("help.about"), tr("About Suture"),
        QStringLiteral("<h3>Suture %1</h3><p>%2</p><p>%3</p>")
            .arg(QCoreApplication::applicationVersion(), tr("Removes decoder layers from language models and repairs the seam."),
                 tr("Free software under the GNU General Public License, version 3 or later. Built with Qt, libtorch and QCustomPlot.")));
}

}  // namespace suture
