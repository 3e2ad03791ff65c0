// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Similarity: which layers change the stream least?
#pragma once

#include <string>

#include "core/base/figure.h"
#include "core/base/layers.h"
#include "core/base/table.h"
#include "core/calibration/statistics.h"
#include "core/selection/criterion.h"

namespace suture {

/// Cosine of what enters and what leaves each layer, mean over tokens; x: layer 0 … L-1. `removed` layers are spans.
/// `statistics` null: empty, with a sentence.
Figure layer_similarity(const Statistics* statistics, const LayerSet& removed);

/// An instant criterion's scores for removing n layers; `input` holds statistics, protection and settings. Criteria of blocks: score
/// against the block's first layer, the criterion's best block marked ("best …") and, when `removed` is another block of n among the scored
/// ones, that too ("chosen …"). Criteria of single layers: a bar per layer, the criterion's choice in the accent colour. Empty with a
/// sentence when n layers can't be removed. Throws a usage Error for an unknown criterion.
Figure criterion_scores(const SelectionInput& input, const std::string& criterion, int n, const LayerSet& removed);

/// cosine(x_i, x_j) of every pair of points i < j as a heat map: x is j, y is i, points 0 … L, blank on and below the diagonal.
/// Cell (i, j) stands for removing layers i … j-1. `token_axis`: along the token axis as in the published script.
Figure pair_similarity(const Statistics* statistics, bool token_axis, const LayerSet& removed);

/// What every criterion would remove: criterion, layers in words, score (of the block, or mean over single layers).
/// A note tells why a criterion has no answer. No rows when n layers can't be removed or there are no statistics.
Table criteria_choices(const SelectionInput& input, int n);

}  // namespace suture
