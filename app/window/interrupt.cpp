// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/interrupt.h"

#include <csignal>

namespace suture {
namespace {

volatile std::sig_atomic_t asked = 0;
void on_signal(int) { asked = 1; }

}  // namespace

void watch_for_interrupt() {
    std::signal(SIGINT, on_signal);
    std::signal(SIGTERM, on_signal);
}

bool interrupted() { return asked != 0; }

}  // namespace suture
