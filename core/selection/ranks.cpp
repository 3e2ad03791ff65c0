// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/selection/internal/ranks.h"

namespace suture {

namespace {

Error no_block(const std::string& criterion, int n) {
    return usage_error("criterion " + criterion + ": there are no " + std::to_string(n) +
                       " layers in a row that may go; protect fewer layers or remove fewer");
}

}  // namespace

void check_block(const Criterion& criterion, const SelectionInput& input, int n) {
    if (removable_blocks(removable_layers(input.layers(), input.protection, input.statistics), n).empty())
        throw no_block(criterion.name, n);
}

void check_plus(const Criterion&, const SelectionInput& input, int n) { removable_plus(input, n); }

std::vector<int> block_starts(const SelectionInput& input, int n) {
    const int edge = input.protection.ends > 0 ? 1 : 0;
    std::vector<int> starts;
    for (int start = edge; start + n <= input.layers() - edge; ++start) starts.push_back(start);
    return starts;
}

Ranking best_block(const std::string& criterion, const SelectionInput& input, const Matrix& pairs, int n, bool higher_is_better) {
    std::map<int, double> scores;
    for (const int start : block_starts(input, n)) scores[start] = pairs.at(start, start + n);
    return best_block(criterion, input, std::move(scores), n, higher_is_better);
}

Ranking best_block(const std::string& criterion, const SelectionInput& input, std::map<int, double> scores, int n, bool higher_is_better) {
    Ranking ranking{.criterion = criterion, .scores = std::move(scores), .higher_is_better = higher_is_better};
    std::optional<double> best;
    for (const LayerSet& block : removable_blocks(removable_layers(input.layers(), input.protection, input.statistics), n)) {
        const auto it = ranking.scores.find(block.layers().front());
        if (it == ranking.scores.end() || (best && !(higher_is_better ? it->second > *best : it->second < *best))) continue;
        best = it->second;
        ranking.removed = block;
    }
    if (!best) throw no_block(criterion, n);
    return ranking;
}

Ranking lowest_layers(const std::string& criterion, std::span<const double> scores, const std::vector<int>& removable, int n) {
    Ranking ranking{.criterion = criterion, .higher_is_better = false, .blocks = false};
    for (std::size_t l = 0; l < scores.size(); ++l) ranking.scores[int(l)] = scores[l];
    std::vector<int> order = removable;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return scores[std::size_t(a)] < scores[std::size_t(b)]; });
    order.resize(std::min(order.size(), std::size_t(n)));
    ranking.removed = LayerSet(order);
    return ranking;
}

std::vector<int> removable_plus(const SelectionInput& input, int n) {
    auto removable = removable_layers(input.layers(), input.protection, input.statistics);
    if (input.settings.no_plus) return removable;
    std::erase_if(removable, [&](int l) { return l < 4 || l >= input.layers() - 2; });
    if (int(removable.size()) < n)
        throw usage_error(
            "removing " + std::to_string(n) + " layers is not possible: layers 0 to 3 and the last two stay by the '+' rule, so " +
            std::to_string(removable.size()) + " of " + std::to_string(input.layers()) + " may go; --no-plus lets the others go too");
    return removable;
}

}  // namespace suture
