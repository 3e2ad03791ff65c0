// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/ranks.h"

namespace suture {

extern const Criterion criterion_cosine_token_axis;
const Criterion criterion_cosine_token_axis{
    .order = 1,
    .name = "cosine-token-axis",
    .label = "Cosine block, token axis",
    .help = "As the published LinearPatch script computes it: cosine along the token axis per channel, mean over channels.",
    .json_key = "cosine_channel_axis",
    .rank = [](const SelectionInput& input,
               int n) { return best_block("cosine-token-axis", input, input.statistics->cosine_token_axis, n, true); },
    .check = check_block,
};

}  // namespace suture
