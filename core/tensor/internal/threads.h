// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace suture {

/// Sets the threads libtorch computes with; 0: one per core. libtorch's own default is not to be trusted.
void set_compute_threads(int threads);

}  // namespace suture
