// SPDX-License-Identifier: GPL-3.0-or-later
// From scores to a choice: what the criteria share.
#pragma once

#include "core/selection/criterion.h"

namespace suture {

/// First layers of the blocks of n that are scored: 1 … L-n-1, and 0 and L-n too where the ends are not protected.
std::vector<int> block_starts(const SelectionInput& input, int n);

/// Criterion::check of those that remove a block: throws a usage Error when no n layers in a row may go.
void check_block(const Criterion& criterion, const SelectionInput& input, int n);

/// The best block of n by a matrix of pair values [P, P], out of the blocks that may go; first of equals.
Ranking best_block(const std::string& criterion, const SelectionInput& input, const Matrix& pairs, int n, bool higher_is_better);
/// The same from scores by first layer; blocks without a score don't take part.
Ranking best_block(const std::string& criterion, const SelectionInput& input, std::map<int, double> scores, int n, bool higher_is_better);

/// The n layers of lowest score among `removable`, first of equals. `scores`: one per layer of the model.
Ranking lowest_layers(const std::string& criterion, std::span<const double> scores, const std::vector<int>& removable, int n);

/// The layers that may go by the published '+' rule: neither 0 to 3 nor the last two, nor protected ones. Without the rule when
/// the settings say so. Throws a usage Error when fewer than n are left.
std::vector<int> removable_plus(const SelectionInput& input, int n);
/// Criterion::check of those that keep the rule.
void check_plus(const Criterion& criterion, const SelectionInput& input, int n);

}  // namespace suture
