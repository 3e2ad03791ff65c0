// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/criterion.h"

namespace suture {

extern const Criterion criterion_cosine_token_axis;
const Criterion criterion_cosine_token_axis{
    .order = 1,
    .name = "cosine-token-axis",
    .label = "Cosine block, token axis",
    .help = "As the published LinearPatch script computes it: cosine along the token axis per channel, mean over channels.",
    .json_key = "cosine_channel_axis",
    .rank = [](const Statistics& statistics, int n) { return best_block("cosine-token-axis", statistics.cosine_token_axis, n, true); },
};

}  // namespace suture
