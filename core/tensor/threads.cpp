// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/threads.h"

#include <thread>

#include "core/tensor/internal/torch.h"

namespace suture {

void set_compute_threads(int threads) {
    at::set_num_threads(threads > 0 ? threads : int(std::max(1u, std::thread::hardware_concurrency())));
}

}  // namespace suture
