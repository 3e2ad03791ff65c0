// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMenu>
#include <QSettings>

#include "ui/window/help.h"
#include "ui/window/main_window.h"
#include "ui/window/recent_models.h"
#include "ui/window/theme_choice.h"

namespace suture {
namespace {

template <class Function>
QAction* add(QMenu& menu, const QString& name, const QString& text, const QKeySequence& keys, Function function) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QStringLiteral("action.") + name);
    action->setShortcut(keys);
    QObject::connect(action, &QAction::triggered, &menu, function);
    return action;
}

void fill_recent(MainWindow& window, QMenu& menu) {
    menu.clear();
    for (const QString& folder : recent_models())
        QObject::connect(menu.addAction(QDir::toNativeSeparators(folder)), &QAction::triggered, &window,
                         [&window, folder] { window.open_model(folder.toStdString()); });
    if (menu.isEmpty()) menu.addAction(QObject::tr("none yet"))->setEnabled(false);
}

void fill_file(MainWindow& window, QMenu& menu) {
    add(menu, QStringLiteral("open"), QObject::tr("&Open model…"), QKeySequence::Open, [&window] { window.ask_for_model(); });
    QMenu* recent = menu.addMenu(QObject::tr("Open &recent"));
    QObject::connect(recent, &QMenu::aboutToShow, &window, [&window, recent] { fill_recent(window, *recent); });
    add(menu, QStringLiteral("sample"), QObject::tr("Open &sample"), {}, [&window] { window.open_sample(); });
    menu.addSeparator();
    QAction* calibration = add(menu, QStringLiteral("calibration_text"), QObject::tr("&Calibration text…"), {},
                               [&window] { window.ask_for_calibration_text(); });
    QAction* evaluation =
        add(menu, QStringLiteral("evaluation_text"), QObject::tr("E&valuation text…"), {}, [&window] { window.ask_for_evaluation_text(); });
    QAction* scales =
        add(menu, QStringLiteral("import_scales"), QObject::tr("&Import LinearPatch scales…"), {}, [&window] { window.ask_for_scales(); });
    menu.addSeparator();
    QAction* write = add(menu, QStringLiteral("export"), QObject::tr("&Export…"), QKeySequence(QObject::tr("Ctrl+E")),
                         [&window] { window.show_export(); });
    menu.addSeparator();
    add(menu, QStringLiteral("quit"), QObject::tr("&Quit"), QKeySequence::Quit, [&window] { window.close(); });
    QObject::connect(&menu, &QMenu::aboutToShow, &window, [&window, calibration, evaluation, scales, write] {
        for (QAction* action : {calibration, evaluation, scales, write}) action->setEnabled(window.session().study() != nullptr);
    });
}

void fill_edit(MainWindow& window, QMenu& menu) {
    QUndoStack& stack = window.session().undo_stack();
    QAction* undo = stack.createUndoAction(&menu, QObject::tr("&Undo"));
    QAction* redo = stack.createRedoAction(&menu, QObject::tr("&Redo"));
    undo->setObjectName(QStringLiteral("action.undo"));
    redo->setObjectName(QStringLiteral("action.redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    menu.addActions({undo, redo});
    menu.addSeparator();
    add(menu, QStringLiteral("copy_layers"), QObject::tr("&Copy layer list"), QKeySequence(QObject::tr("Ctrl+Shift+C")),
        [&window] { QApplication::clipboard()->setText(QString::fromStdString(window.session().document().removed.text())); });
    add(menu, QStringLiteral("reset_selection"), QObject::tr("Reset &selection"), QKeySequence(QObject::tr("Ctrl+Shift+R")),
        [&window] { window.session().remove_layers({}); });
}

void fill_view(MainWindow& window, QMenu& menu) {
    const auto& pages = window.pages();
    for (std::size_t i = 0; i < pages.size(); ++i)
        add(menu, QStringLiteral("page_") + pages[i]->id(), pages[i]->title(), QKeySequence(QStringLiteral("Ctrl+%1").arg((i + 1) % 10)),
            [&window, i] { window.show_page(int(i)); });
    menu.addSeparator();
    add(menu, QStringLiteral("jobs"), QObject::tr("&Jobs"), QKeySequence(QObject::tr("Ctrl+J")), [&window] { window.toggle_jobs(); });
    QAction* preview = add(menu, QStringLiteral("live_preview"), QObject::tr("&Live preview of the perplexity"), {}, [] {});
    preview->setToolTip(QObject::tr("Measures a small held-out slice after every change of the selection, while nothing else runs"));
    preview->setCheckable(true);
    preview->setChecked(window.preview().on());
    QObject::connect(preview, &QAction::toggled, &window, [&window](bool on) {
        window.preview().set_on(on);
        QSettings().setValue(QStringLiteral("live_preview"), on);
    });
    QMenu* themes = menu.addMenu(QObject::tr("&Theme"));
    auto* group = new QActionGroup(themes);
    for (const auto& [choice, text] : {std::pair("light", QObject::tr("&Light")), std::pair("dark", QObject::tr("&Dark")),
                                       std::pair("system", QObject::tr("As the &system"))}) {
        const QString name = QString::fromLatin1(choice);
        QAction* action = add(*themes, QStringLiteral("theme_") + name, text, {}, [name] { choose_theme(name, true); });
        action->setCheckable(true);
        action->setChecked(theme_choice() == name);
        group->addAction(action);
    }
}

void fill_run(MainWindow& window, QMenu& menu) {
    Results& results = window.results();
    QAction* calibrate =
        add(menu, QStringLiteral("calibrate"), QObject::tr("&Calibrate"), QKeySequence(Qt::Key_F5), [&results] { results.calibrate(); });
    QAction* evaluate =
        add(menu, QStringLiteral("evaluate"), QObject::tr("&Evaluate"), QKeySequence(Qt::Key_F6), [&window] { window.evaluate(); });
    menu.addSeparator();
    add(menu, QStringLiteral("cancel"), QObject::tr("C&ancel"), QKeySequence(QObject::tr("Ctrl+.")),
        [&window] { window.session().lanes().cancel_all(); });
    QObject::connect(&results, &Results::changed, calibrate, [&results, calibrate, evaluate] {
        calibrate->setEnabled(results.why_not_calibrate().isEmpty() && !results.statistics.fresh());
        evaluate->setEnabled(results.why_not_evaluate().isEmpty());
    });
}

void fill_help(MainWindow& window, QMenu& menu) {
    add(menu, QStringLiteral("keyboard"), QObject::tr("&Keyboard and mouse"), QKeySequence::HelpContents,
        [&window] { show_keyboard_help(window); });
    add(menu, QStringLiteral("about"), QObject::tr("&About Suture"), {}, [&window] { show_about(window); });
}

}  // namespace

void fill_menus(MainWindow& window, QMenuBar& bar) {
    window.preview().set_on(QSettings().value(QStringLiteral("live_preview"), true).toBool());
    fill_file(window, *bar.addMenu(QObject::tr("&File")));
    fill_edit(window, *bar.addMenu(QObject::tr("&Edit")));
    fill_view(window, *bar.addMenu(QObject::tr("&View")));
    fill_run(window, *bar.addMenu(QObject::tr("&Run")));
    fill_help(window, *bar.addMenu(QObject::tr("&Help")));
}

}  // namespace suture
