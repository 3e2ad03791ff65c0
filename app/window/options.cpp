// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/options.h"

#include <QCommandLineParser>

#include "core/base/error.h"

namespace suture {

Options parse_options(const QStringList& arguments) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Suture removes decoder layers from language models and repairs the seam.\n\n"
                       "Exit codes: 0 done, 1 internal error, 2 wrong use, 3 bad input, 4 cancelled."));
    const auto help = parser.addHelpOption();
    const auto version = parser.addVersionOption();
    const QCommandLineOption text(
        QStringLiteral("text"),
        QStringLiteral("Text file to calibrate on; default: calibration.txt beside the model, else the bundled one."),
        QStringLiteral("FILE"));
    const QCommandLineOption evaluate(
        QStringLiteral("evaluate"),
        QStringLiteral("Text file to evaluate on; default: evaluation.txt beside the model, else the bundled one."),
        QStringLiteral("FILE"));
    const QCommandLineOption screenshots(QStringLiteral("screenshots"),
                                         QStringLiteral("Runs the whole job, writes a picture of every page to this folder, and ends."),
                                         QStringLiteral("DIR"));
    const QCommandLineOption report(QStringLiteral("report"),
                                    QStringLiteral("Runs the whole job without a window, writes plots, tables, results.json and the "
                                                   "repaired checkpoint to this folder, and ends."),
                                    QStringLiteral("DIR"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("light, dark or system."), QStringLiteral("NAME"));
    parser.addOptions({text, evaluate, screenshots, report, theme});
    parser.addPositionalArgument(QStringLiteral("MODEL"), QStringLiteral("Folder with config.json and safetensors files."),
                                 QStringLiteral("[MODEL]"));

    if (!parser.parse(arguments)) throw usage_error(parser.errorText().toStdString() + " suture --help lists what there is.");
    if (parser.isSet(help)) parser.showHelp(0);
    if (parser.isSet(version)) parser.showVersion();
    const QStringList names = parser.positionalArguments();
    if (names.size() > 1) throw usage_error("only one model can be opened, but " + std::to_string(names.size()) + " were named.");
    const QString look = parser.value(theme);
    if (parser.isSet(theme) && !QStringList{QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("system")}.contains(look))
        throw usage_error("--theme " + look.toStdString() + ": give light, dark or system.");
    const auto path = [&](const QCommandLineOption& option) { return std::filesystem::path(parser.value(option).toStdString()); };
    return {.model = names.value(0).toStdString(),
            .calibration = {path(text), {}},
            .evaluation = {path(evaluate), {}},
            .screenshots = path(screenshots),
            .report = path(report),
            .theme = look};
}

}  // namespace suture
