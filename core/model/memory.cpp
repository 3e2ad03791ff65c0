// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"

namespace suture {

MemoryEstimate estimate_memory(const Model& model, const ComputeSettings& settings, std::int64_t tokens, std::int64_t windows,
                               std::int64_t points) {
    const Architecture& a = model.architecture();
    const std::uint64_t program = 350'000'000;  // libtorch, libraries, window; measured on an idle program
    std::uint64_t layer = 0;
    for (int l = 0; l < a.layers; ++l)
        layer = std::max(layer, std::uint64_t(model.layer_parameters(l)) * (settings.dtype == "bfloat16" ? 2 : 4));
    const std::uint64_t working = std::uint64_t(tokens) * std::uint64_t(8 * a.hidden + 4 * a.intermediate) * 4 +
                                  std::uint64_t(a.heads * tokens * tokens) * (a.score_cap > 0 ? 12 : 1);
    const std::uint64_t window = std::uint64_t(tokens * a.hidden * points) * 4;
    const auto limit = std::uint64_t(settings.memory * 1e9);
    const std::uint64_t fixed = program + layer + working;
    // A quarter of what is left, and no more than 256 MB: larger groups do not make a pass faster.
    const std::uint64_t budget = std::min<std::uint64_t>(limit > fixed ? (limit - fixed) / 4 : 0, 256'000'000);
    MemoryEstimate estimate;
    estimate.windows_per_group =
        std::clamp<std::int64_t>(std::int64_t(budget / std::max<std::uint64_t>(window, 1)), 1, std::max<std::int64_t>(windows, 1));
    estimate.resident = fixed + window * std::uint64_t(estimate.windows_per_group) * 2;
    estimate.mapped = model.bytes() < limit ? model.bytes() : 0;
    return estimate;
}

}  // namespace suture
