// SPDX-License-Identifier: GPL-3.0-or-later
// What the jobs behind the Selection page do, on a lane's thread.
#pragma once

#include <map>

#include "core/selection/search.h"
#include "ui/session/feed.h"
#include "ui/session/recipe_jobs.h"

namespace suture {

/// Known before a criterion or a search runs the model.
struct SelectionMemory {
    std::map<std::string, MemoryEstimate> criteria;  ///< by name; of those that tell
    MemoryEstimate search;
};
std::shared_ptr<const SelectionMemory> estimate_selection(const JobInputs& inputs);

/// The criterion's answer for document.block_length layers. Calibrates first where it rests on statistics.
std::shared_ptr<const Ranking> make_ranking(const JobInputs& inputs, const std::string& criterion, Progress& progress);

/// What the search has to remove, at least, in the document's unit.
double budget_amount(const Document& document);
/// `amount` of a unit as a budget for the document's model. Throws a usage Error.
Budget budget_in(const Document& document, const Model& model, const std::string& unit, double amount);
/// `feed` holds the best known sets while it runs, and when it is stopped.
std::shared_ptr<const SearchResult> make_search(const JobInputs& inputs, Feed<SearchResult>& feed, Progress& progress);

/// A proposal to measure. With `merged` that plan stands for the removed layers, and is its own repair.
struct Proposal {
    LayerSet removed;
    std::optional<Variant> merged;
    /// Equal for proposals that make the same model.
    std::string name() const { return removed.text() + (merged ? " merged" : ""); }
};
struct SetMeasure {
    std::shared_ptr<const Evaluation> unpatched;
    std::shared_ptr<const Evaluation> patched;  ///< null without a repair
};
/// Perplexities on the evaluation text, or on the calibration text where there is no other.
struct SetMeasures {
    std::map<std::string, SetMeasure> sets;  ///< by Proposal::name()
    std::shared_ptr<const Evaluation> dense;
};
/// Adds to `known` what it lacks; `feed` holds what is measured so far.
std::shared_ptr<const SetMeasures> measure_proposals(const JobInputs& inputs, const std::vector<Proposal>& proposals, SetMeasures known,
                                                     Feed<SetMeasures>& feed, Progress& progress);

/// What a criterion reads of the document: protection and settings.
SelectionInput selection_input(const Document& document, const Statistics* statistics);

}  // namespace suture
