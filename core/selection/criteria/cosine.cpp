// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/ranks.h"

namespace suture {

extern const Criterion criterion_cosine;
const Criterion criterion_cosine{
    .order = 0,
    .name = "cosine",
    .label = "Cosine block",
    .help = "The block whose two ends are most alike: cosine along the hidden axis per token, mean over tokens (the paper's).",
    .json_key = "cosine_token",
    .rank = [](const SelectionInput& input, int n) { return best_block("cosine", input, input.statistics->cosine_token, n, true); },
    .check = check_block,
};

}  // namespace suture
