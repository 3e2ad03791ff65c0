// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/compute.h"

namespace suture {

const std::vector<Setting<ComputeSettings>>& ComputeSettings::fields() {
    static const std::vector<Setting<ComputeSettings>> list{
        {"dtype", "Compute type", "type of the matrix products", &ComputeSettings::dtype, {"float32", "bfloat16"}},
        {"threads", "Threads", "threads to compute with; 0: one per core", &ComputeSettings::threads},
        {"memory", "Memory limit (GB)", "GB the program may take", &ComputeSettings::memory},
    };
    return list;
}

}  // namespace suture
