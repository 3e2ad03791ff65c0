// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/progress.h"

#include "core/base/error.h"

namespace suture {

void Progress::begin(std::string stage, std::int64_t total, std::string unit) {
    check();
    report_ = {.stage = std::move(stage), .unit = std::move(unit), .done = 0, .total = total, .seconds = 0};
    began_ = std::chrono::steady_clock::now();
    if (listener_) listener_(report_);
}

void Progress::step(std::int64_t n) {
    check();
    report_.done += n;
    report_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (listener_) listener_(report_);
}

void Progress::check() const {
    if (stop_.stop_requested()) throw Cancelled();
}

}  // namespace suture
