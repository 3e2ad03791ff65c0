// SPDX-License-Identifier: GPL-3.0-or-later
// What removing sets of layers costs on the search text.
#pragma once

#include <set>

#include "core/selection/internal/state_cache.h"
#include "core/selection/search.h"

namespace suture {

class SetScorer {
public:
    /// `fit`: statistics and windows that repairs are fitted on, apart from `input.windows`, which score. Null: there is none to fit.
    struct Fit {
        const Statistics& statistics;
        const Windows& windows;
    };
    SetScorer(const SelectionInput& input, const Budget& budget, double screen, const Fit* fit = nullptr);

    /// Keeps the states of the models without these sets: sets that remove more are then run from their first further layer on.
    void hold(const std::vector<LayerSet>& sets);
    FoundSet score(const LayerSet& removed);
    /// The candidates that are worth all windows, best first: a third of them, and at least twice `wanted`, pass the first windows.
    /// `beat`: and only those that are better there than this one. Sets that the repair can't repair are left out.
    std::vector<FoundSet> best_of(const std::vector<LayerSet>& candidates, std::size_t wanted, const FoundSet* beat = nullptr);

    /// Adds counts of work to the result.
    void count(SearchResult& result) const;

private:
    struct Candidate {
        LayerSet removed;
        Plan plan;
        std::vector<WindowScore> windows;
    };
    Plan plan_of(const LayerSet& removed) const;
    void extend(Candidate& candidate, std::size_t windows);
    std::vector<Candidate> screened(std::vector<Candidate> candidates, std::size_t wanted, const FoundSet* beat);
    FoundSet finish(Candidate& candidate);

    const SelectionInput& input_;
    const Budget& budget_;
    const Fit* fit_;
    Decoder decoder_;
    StateCache cache_;
    std::size_t first_windows_;                   // for screening
    std::map<std::vector<int>, FoundSet> known_;  // scored on all windows
    std::int64_t evaluations_ = 0;
};

}  // namespace suture
