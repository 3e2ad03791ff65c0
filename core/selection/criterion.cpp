// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/criterion.h"

#include <algorithm>

#include "core/base/error.h"

namespace suture {

std::vector<const Criterion*> criteria() {
    const auto all = all_criteria();
    std::vector<const Criterion*> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    return sorted;
}

const Criterion& criterion_named(const std::string& name) {
    std::string known;
    for (const Criterion* criterion : criteria()) {
        if (criterion->name == name) return *criterion;
        known += (known.empty() ? "" : ", ") + criterion->name;
    }
    throw usage_error("there is no criterion named \"" + name + "\"; known are " + known);
}

void check_removal_count(int layers, int n) {
    if (layers < 3)
        throw usage_error("a model of " + std::to_string(layers) + " layers has none to choose from: the first and the last stay");
    if (n < 1 || n > layers - 2)
        throw usage_error("removing " + std::to_string(n) + " layers is not possible: of " + std::to_string(layers) +
                          " layers the first and the last stay, so 1 to " + std::to_string(layers - 2) + " can go");
}

Ranking rank_layers(const Statistics& statistics, const std::string& criterion, int n) {
    check_removal_count(statistics.layers, n);
    return criterion_named(criterion).rank(statistics, n);
}

Ranking best_block(const std::string& criterion, const Matrix& pairs, int n, bool higher_is_better) {
    Ranking ranking{.criterion = criterion, .higher_is_better = higher_is_better};
    const int layers = int(pairs.size(0)) - 1;
    int best = 1;
    for (int start = 1; start + n < layers; ++start) {
        const double score = ranking.scores[start] = pairs.at(start, start + n);
        if (higher_is_better ? score > ranking.scores[best] : score < ranking.scores[best]) best = start;
    }
    ranking.removed = LayerSet::range(best, n);
    return ranking;
}

}  // namespace suture
