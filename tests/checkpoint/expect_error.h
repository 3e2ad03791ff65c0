// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest/QtTest>
#include <functional>
#include <initializer_list>
#include <string>

#include "core/base/error.h"

namespace suture::test {

/// Fails the test unless `work` throws an Error whose sentence contains every one of `parts`.
inline void expect_error(const std::function<void()>& work, std::initializer_list<std::string> parts) {
    try {
        work();
    } catch (const Error& error) {
        for (const auto& part : parts) QVERIFY2(std::string(error.what()).find(part) != std::string::npos, error.what());
        return;
    }
    QFAIL("no Error was thrown");
}

}  // namespace suture::test
