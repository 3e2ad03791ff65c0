// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C as a wish to stop, not as the end: what runs is cancelled and cleans up after itself.
#pragma once

namespace suture {

void watch_for_interrupt();
bool interrupted();

}  // namespace suture
