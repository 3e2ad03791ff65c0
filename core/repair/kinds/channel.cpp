// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_channel;
const RepairKind repairkind_channel{
    .order = 2,
    .info = {.name = "channel",
             .label = "Channel scaling d",
             .help = "One factor per channel: the ratio of its mean magnitude on both sides (LinearPatch without the rotation).",
             .definition = true},
    .json_key = [](const RepairSettings& settings) { return "d_" + definition_name(settings); },
    .fit =
        [](const SeamStatistics& seam, const RepairSettings& settings, std::span<const double>) {
            return std::vector{StreamMap{.kind = "channel", .scale = magnitude_ratio(seam, 0, settings.definition)}};
        },
};

}  // namespace suture
