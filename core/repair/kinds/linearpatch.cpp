// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_linearpatch;
const RepairKind repairkind_linearpatch{
    .order = 3,
    .info = {.name = "linearpatch",
             .label = "LinearPatch",
             .help = "P = H·diag(d)·Hᵀ with a Hadamard matrix H: channel scaling in a basis where massive activations are spread out "
                     "(NeurIPS 2025).",
             .definition = true},
    .json_key = [](const RepairSettings& settings) { return "linearpatch_" + definition_name(settings); },
    .fit =
        [](const SeamStatistics& seam, const RepairSettings& settings, std::span<const double>) {
            return std::vector{StreamMap{.kind = "linearpatch", .scale = magnitude_ratio(seam, 1, settings.definition), .hadamard = true}};
        },
};

}  // namespace suture
