// SPDX-License-Identifier: GPL-3.0-or-later
// How the forward pass computes.
#pragma once

#include "core/base/setting.h"

namespace suture {

struct ComputeSettings {
    std::string dtype = "float32";  ///< matrix products; the residual stream, norms, softmax and statistics are always float32 or wider
    std::int64_t threads = 0;       ///< 0: one per core
    double memory = 4;              ///< GB the program may take, weights in their stored type included

    static const std::vector<Setting<ComputeSettings>>& fields();
};

/// What a run over the windows will take, estimated before it starts. Bytes.
struct MemoryEstimate {
    std::uint64_t resident = 0;          ///< peak of the program's own memory
    std::uint64_t mapped = 0;            ///< weights as mapped file pages, dropped layer by layer when they don't fit the limit
    std::int64_t windows_per_group = 1;  ///< windows that pass each layer together
};

}  // namespace suture
