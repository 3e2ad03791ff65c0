// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/ranks.h"

namespace suture {
namespace {

/// ShortGPT: each layer alone, 1 - cosine of its input and output; any layers may go.
Ranking rank_by_influence(const SelectionInput& input, int n) {
    return lowest_layers("block-influence", input.statistics->block_influence(),
                         removable_layers(input.layers(), input.protection, input.statistics), n);
}

}  // namespace

extern const Criterion criterion_block_influence;
const Criterion criterion_block_influence{
    .order = 3,
    .name = "block-influence",
    .label = "Block influence",
    .help = "The n layers that change the stream least, each judged alone; they need not be neighbours (ShortGPT).",
    .rank = rank_by_influence,
};

}  // namespace suture
