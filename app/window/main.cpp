// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <iostream>

#include "app/window/interrupt.h"
#include "app/window/options.h"
#include "app/window/report.h"
#include "app/window/screenshots.h"
#include "core/base/error.h"
#include "ui/window/main_window.h"
#include "ui/window/theme_choice.h"

namespace {

using namespace suture;

constexpr int cancelled = 4;

/// Without a display Qt would end the program with a riddle; headless work and --help need none.
bool has_display() {
    for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        if (qEnvironmentVariableIsSet(name) && !qEnvironmentVariableIsEmpty(name)) return true;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return false;
}

int run_headless(const Options& options) {
    const QTemporaryDir settings;  // a headless run neither reads nor changes what a person has set
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings.path());
    choose_theme(options.theme.isEmpty() ? QStringLiteral("light") : options.theme, false);
    if (!options.screenshots.empty()) take_screenshots(options, SUTURE_SAMPLE);
    if (!options.report.empty()) write_report(options, SUTURE_SAMPLE);
    return 0;
}

int run_window(const Options& options) {
    choose_theme(options.theme.isEmpty() ? theme_choice() : options.theme, false);
    MainWindow window(std::make_shared<Store>(default_cache_folder()), SUTURE_SAMPLE);
    window.show();
    if (!options.model.empty()) window.open_model(options.model, options.calibration, options.evaluation);
    QTimer interrupt;
    QObject::connect(&interrupt, &QTimer::timeout, &window, [&window] {
        if (interrupted()) window.close();
    });
    interrupt.start(200);
    const int code = QApplication::exec();
    if (!window.session().lanes().shut_down()) std::_Exit(code);  // a thread that does not stop must not keep the program
    return interrupted() ? cancelled : code;
}

int run(bool display) {
    const Options options = parse_options(QApplication::arguments());
    watch_for_interrupt();
    if (options.headless()) return run_headless(options);
    if (!display)
        throw usage_error("there is no display; --report DIR does the whole job without a window, --screenshots DIR draws its pages.");
    return run_window(options);
}

}  // namespace

int main(int argc, char** argv) {
    const bool display = has_display();
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("suture"));
    QApplication::setOrganizationName(QStringLiteral("suture"));
    QApplication::setApplicationVersion(QStringLiteral(SUTURE_VERSION));
    try {
        return run(display);
    } catch (const Error& error) {
        std::cerr << "suture: " << error.what() << "\n";
        if (!error.details().empty()) std::cerr << error.details() << "\n";
        return int(error.kind());
    } catch (const Cancelled&) {
        std::cerr << "\nsuture: cancelled; nothing was written\n";
        return cancelled;
    } catch (const std::exception& error) {
        std::cerr << "suture: internal error: " << error.what() << "\n";
        return int(Error::Kind::Internal);
    }
}
