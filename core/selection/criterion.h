// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers to remove. One file in core/selection/criteria adds one criterion.
#pragma once

#include <map>
#include <span>
#include <string>

#include "core/base/layers.h"
#include "core/calibration/statistics.h"

namespace suture {

/// A criterion's answer for n layers.
struct Ranking {
    std::string criterion;
    LayerSet removed;              ///< its choice
    std::map<int, double> scores;  ///< by first layer of a block, or by layer
    bool higher_is_better = true;  ///< a high score speaks for removal
    bool blocks = true;            ///< scores are of blocks of n layers; false: of single layers
};

struct Criterion {
    int order = 0;
    std::string name;      ///< in the terminal
    std::string label;     ///< in the window
    std::string help;      ///< one sentence
    std::string json_key;  ///< where `analyze --json` puts the block scores: cosine_token, …; empty: nowhere
    Ranking (*rank)(const Statistics& statistics, int n) = nullptr;
};

/// Every criterion, one per file, by file name.
std::span<const Criterion* const> all_criteria();
/// In the order in which they are offered.
std::vector<const Criterion*> criteria();
/// Throws a usage Error naming the known ones.
const Criterion& criterion_named(const std::string& name);

/// Throws a usage Error when n is below 1 or leaves no start 1 … L-n-1: layer 0 and the last stay.
void check_removal_count(int layers, int n);

/// Removes n layers by a criterion; n as check_removal_count() wants it.
Ranking rank_layers(const Statistics& statistics, const std::string& criterion, int n);

/// The best block of n by a matrix of pair values [P, P]: starts 1 … L-n-1, first of equals.
Ranking best_block(const std::string& criterion, const Matrix& pairs, int n, bool higher_is_better);

}  // namespace suture
