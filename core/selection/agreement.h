// SPDX-License-Identifier: GPL-3.0-or-later
// How far criteria agree: on the layers to remove, and on the order of all scores.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/selection/criterion.h"

namespace suture {

/// |a ∩ b| / |a ∪ b|; 1 for two empty sets.
double jaccard(const LayerSet& a, const LayerSet& b);

/// Spearman's rank correlation of the scores that both have, each turned so that more speaks for removal; ties share their mean
/// rank. NaN when one ranks blocks and the other layers, below two common scores, or when all scores of one are alike.
double spearman(const Ranking& a, const Ranking& b);

struct Agreement {
    std::vector<std::string> names;  ///< of the criteria, K
    Matrix removed;                  ///< [K, K] jaccard() of the removed sets
    Matrix scores;                   ///< [K, K] spearman()
    nlohmann::json to_json() const;  ///< {names, jaccard, spearman}; null for NaN
};
Agreement agreement(std::span<const Ranking> rankings);

}  // namespace suture
