// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest/QtTest>

#include "tests/support/suites.h"

namespace suture::test {

int run_suites(int argc, char** argv) {
    // Qt's handler of crashes can hang in its own output, and a test that hangs tells less than one that ends.
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    arguments << QStringLiteral("-nocrashhandler");
    int failures = 0;
    for (const auto& make : suites()) {
        const auto suite = make();
        failures += QTest::qExec(suite.get(), arguments);
    }
    return failures > 0 ? 1 : 0;
}

}  // namespace suture::test
