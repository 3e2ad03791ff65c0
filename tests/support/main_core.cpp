// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "tests/support/run_suites.h"

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    return suture::test::run_suites(argc, argv);
}
