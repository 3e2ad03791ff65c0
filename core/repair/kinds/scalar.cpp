// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_scalar;
const RepairKind repairkind_scalar{
    .order = 1,
    .info = {.name = "scalar",
             .label = "Scalar",
             .help = "One factor for the whole stream: the ratio of the mean token norms on both sides.",
             .stock = true},
    .json_key = [](const RepairSettings&) -> std::string { return "scalar"; },
    .fit =
        [](const SeamStatistics& seam, const RepairSettings&, std::span<const double>) {
            const double ratio = seam.l2_given > 0 ? seam.l2_expected / seam.l2_given : 1;
            return std::vector{StreamMap{.kind = "scalar", .scale = Array<double>({1}, ratio)}};
        },
};

}  // namespace suture
