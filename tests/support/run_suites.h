// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest/QtTest>

#include "tests/support/suites.h"

namespace suture::test {

int run_suites(int argc, char** argv) {
    int failures = 0;
    for (const auto& make : suites()) {
        const auto suite = make();
        failures += QTest::qExec(suite.get(), argc, argv);
    }
    return failures > 0 ? 1 : 0;
}

}  // namespace suture::test
