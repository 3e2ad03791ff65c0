// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/selection/criterion.h"

namespace suture {
namespace {

/// ShortGPT: each layer alone, 1 - cosine of its input and output; any layers may go, first of equals.
Ranking rank_by_influence(const Statistics& statistics, int n) {
    Ranking ranking{.criterion = "block-influence", .higher_is_better = false, .blocks = false};
    const auto influence = statistics.block_influence();
    std::vector<int> order;
    for (int l = 0; l < statistics.layers; ++l) {
        ranking.scores[l] = influence[std::size_t(l)];
        if (l > 0 && l + 1 < statistics.layers) order.push_back(l);  // layer 0 and the last one stay
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return influence[std::size_t(a)] < influence[std::size_t(b)]; });
    order.resize(std::size_t(n));
    ranking.removed = LayerSet(order);
    return ranking;
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
