// SPDX-License-Identifier: GPL-3.0-or-later
// Runs suture-cli as other programs do.
#pragma once

#include <QProcess>
#include <QStringList>

#include "tests/support/data.h"

namespace suture::test {

struct Run {
    int exit = -1;
    QString out, err;
    nlohmann::json parsed() const { return nlohmann::json::parse(out.toStdString()); }
};

inline Run run(const QStringList& arguments) {
    QProcess process;
    process.start(SUTURE_BIN "/suture-cli", arguments);
    process.waitForFinished(300000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline const QString stories = QString::fromStdString(data("models/stories260K-hf").string());
inline const QString text = QString::fromStdString(data("texts/TinyStories-valid.excerpt.txt").string());
inline const QStringList small{"--seqlen", "64", "--windows", "8", "--cache", "none", "--quiet"};

}  // namespace suture::test
