// SPDX-License-Identifier: GPL-3.0-or-later
// Several Qt Test suites in one executable, because every process that maps libtorch costs half a second.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace suture::test {

using MakeSuite = std::function<std::unique_ptr<QObject>()>;

inline std::vector<MakeSuite>& suites() {
    static std::vector<MakeSuite> list;
    return list;
}

/// Runs every suite of the executable; the result is the number of failures.
int run_suites(int argc, char** argv);

/// Makes SUITE(Class) run Class when the executable starts.
template <class T>
struct Registered {
    Registered() {
        suites().push_back([] { return std::make_unique<T>(); });
    }
};

}  // namespace suture::test

#define SUTURE_SUITE(Class) static const suture::test::Registered<Class> registered_##Class;
