// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/criterion.h"

namespace suture {

extern const Criterion criterion_angular;
const Criterion criterion_angular{
    .order = 2,
    .name = "angular",
    .label = "Angular distance",
    .help = "The block with the smallest angle between its ends at each window's last token, as a fraction of a half turn.",
    .json_key = "angular_last_token",
    .rank = [](const Statistics& statistics, int n) { return best_block("angular", statistics.angular_last, n, false); },
};

}  // namespace suture
