// SPDX-License-Identifier: GPL-3.0-or-later
// The Selection page's figures: what the criteria say of every layer, how far they agree, and what each set of layers costs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/evaluation/evaluation.h"
#include "core/figures/words.h"
#include "core/selection/criterion.h"

namespace suture {

/// One criterion and its answer, as far as it is known.
struct CriterionRow {
    std::string label;
    std::shared_ptr<const Ranking> ranking = nullptr;  ///< null: not run
    bool stale = false;                                ///< the ranking was made under other conditions than those chosen now
    std::string state = {};                            ///< "not run", "running", or why it failed; empty: there is nothing to tell
};

/// A set of layers that somebody proposes, and what is known of its cost.
struct KnownSet {
    std::string by;                               ///< "Cosine block", "search", "chosen now"
    LayerSet removed = {};                        ///< empty: nothing is proposed yet
    bool merged = false;                          ///< measured as a merge, which takes more than removing the layers
    double kept_parameters = 0;                   ///< of the whole model
    std::string predicted = {};                   ///< the proposer's own score
    std::string predicted_by = {};                ///< what that score is, one sentence
    std::optional<double> search = std::nullopt;  ///< perplexity on the search's own text
    std::shared_ptr<const Evaluation> unpatched = nullptr;
    std::shared_ptr<const Evaluation> patched = nullptr;
    std::string state = {};  ///< "fresh", "stale", "not run" …
};

/// What the measured numbers of all sets rest on.
struct CostConditions {
    int layers = 0;
    std::string repair;                                 ///< in words: "LinearPatch"; empty: none
    std::shared_ptr<const Evaluation> dense = nullptr;  ///< on the same text; null: not measured
    bool stale = false;                                 ///< made under other conditions than those chosen now
};

/// The score of what the ranking removes: of its block, of the last layer that went, or the mean over its layers.
double score_of_choice(const Ranking& ranking);

/// Every layer's place in the criterion's order, 0 … 1: 1 goes first, ties share their mean; NaN where the criterion says nothing. A
/// block's score counts for each of its layers, the best one they are in; layers removed one after the other go before all others.
std::vector<double> layer_places(const Ranking& ranking, int layers);

/// A row of cells per criterion over the layers, crosses where it removes; `removed` is outlined. `conditions`: of the statistics.
Figure criteria_strips(const std::vector<CriterionRow>& rows, int layers, const LayerSet& removed, const std::string& conditions);

/// Jaccard of the removed sets, or with `scores` Spearman's correlation of the scores. Only criteria that answered.
Figure criteria_agreement(const std::vector<CriterionRow>& rows, bool scores);

/// "layers": kept layers; "parameters": kept parameters in millions.
double kept_size(const KnownSet& set, const std::string& size, int layers);

/// Above so many times dense a point is drawn at the edge: one absurd set would flatten all others.
inline constexpr double highest_times_dense = 10;

/// Size against perplexity of every set that was measured; what a search saw on its own text is another scale and left out. Points
/// above ten times dense stand at that edge, in a series of their own whose labels tell the value.
Figure cost_by_size(const std::vector<KnownSet>& sets, const std::string& size, const CostConditions& conditions);

/// Who proposes which layers, at what predicted and measured cost; a row per set, in their order.
Table known_sets(const std::vector<KnownSet>& sets, const CostConditions& conditions);

}  // namespace suture
