// SPDX-License-Identifier: GPL-3.0-or-later
// What was asked for on the command line.
#pragma once

#include <QStringList>
#include <filesystem>

#include "core/study/study.h"

namespace suture {

struct Options {
    std::filesystem::path model;         ///< empty: none was named
    TextSource calibration, evaluation;  ///< empty: those beside the model, else the bundled ones
    std::filesystem::path screenshots;   ///< folder for pictures of the pages; empty: not asked for
    std::filesystem::path report;        ///< folder for the job's results without a window; empty: not asked for
    QString theme;                       ///< light, dark, system; empty: as chosen before
    bool headless() const { return !screenshots.empty() || !report.empty(); }
};

/// Throws a usage Error. Prints and ends the program for --help and --version.
Options parse_options(const QStringList& arguments);

}  // namespace suture
