// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers to remove, found by trying: the NLL of the remaining model, repaired or not, on calibration text.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/evaluation/evaluation.h"
#include "core/selection/criterion.h"

namespace suture {

/// How much is to go, at least. Layers only are counted: what a repair puts in their place is not taken off.
struct Budget {
    std::string unit = "layers";  ///< layers, parameters, bytes or milliseconds
    double amount = 0;
    std::vector<double> cost;  ///< of every layer, in `unit`
    /// `milliseconds`: one value per layer; or one value for all layers together, which is shared out by parameters. Throws a usage
    /// Error for an unknown unit, or when all layers together don't come to `amount`.
    static Budget of(const Model& model, const std::string& unit, double amount, std::vector<double> milliseconds = {});
    double cost_of(const LayerSet& removed) const;
    bool met_by(const LayerSet& removed) const;
};

struct SearchSettings {
    std::string method = "greedy";  ///< "greedy": the best set only is followed; "beam": the `beam` best ones
    std::int64_t beam = 4;
    bool block = false;         ///< only blocks of neighbouring layers, all of them
    double screen = 0.25;       ///< share of the windows on which all candidates of a round are tried first; 1: all on all
    std::int64_t exchange = 8;  ///< tries to put one removed layer back and remove a better one; they end when none helps
    bool no_seeds = false;      ///< what the instant criteria propose is not tried; without statistics it never is

    static const std::vector<Setting<SearchSettings>>& fields();
};

/// A set of layers and what the model is worth without them.
struct FoundSet {
    LayerSet removed;
    std::vector<int> order;            ///< as the search removed them, or ascending
    std::vector<WindowScore> windows;  ///< on the search text
    double cost = 0;                   ///< in the budget's unit
    double nll() const;                ///< nats per predicted token
    double perplexity() const { return std::exp(nll()); }
};

struct SearchResult {
    std::map<int, FoundSet> best;    ///< best known set by the number of removed layers; 0: the dense model
    std::optional<FoundSet> chosen;  ///< the best known one that meets the budget
    std::int64_t evaluations = 0;    ///< sets that were scored, on a part of the text or on all of it
    std::int64_t passes = 0;         ///< layer passes, one per layer and window
    /// What a plain search to a set of this size would run: one layer more per round, every candidate of every round on all windows
    /// through all kept layers; no screening, no exchanges, no seeds, no reused states. R layers may go, L are there, W windows score,
    /// n went: W·Σ_{k=1..n} (R−k+1)·(L−k). With `block`: every block of 1 … n layers in place of R−k+1 sets.
    std::int64_t passes_plain = 0;
    double seconds = 0;
    bool complete = true;  ///< false: cancelled; holds what was found until then
    nlohmann::json parameters = nlohmann::json::object();
    nlohmann::json to_json() const;
    Artefact to_artefact() const;
    static SearchResult from_artefact(const Artefact& artefact);
};

/// Called whenever a set became the best known one of its size.
using FoundListener = std::function<void(const SearchResult&)>;

/// Searches on `input.windows`, with `input.repair` fitted for every set ("none": without). A repair that is fitted would flatter the
/// tokens it was fitted on: it is fitted on three quarters of the windows, calibrated anew, and every fourth window scores. Kinds that
/// run the model for a fit are accepted, and slow. Needs the model, windows and, for a fitted repair, statistics of them. Does not
/// throw Cancelled. Throws a usage Error for settings out of range, for a single window where a repair is to be fitted, and when the
/// protected layers leave too few to meet the budget.
SearchResult search(const SelectionInput& input, const Budget& budget, const SearchSettings& settings, const FoundListener& found = {});

/// Names the complete SearchResult by everything it depends on.
Key search_key(const SelectionInput& input, const Budget& budget, const SearchSettings& settings);

/// Throws a usage Error for --screen outside (0, 1] or --beam below 1.
void check_search_settings(const SearchSettings& settings);

/// What search() will take.
MemoryEstimate estimate_search(const Model& model, const Windows& windows, const ComputeSettings& compute, const SearchSettings& settings);

}  // namespace suture
