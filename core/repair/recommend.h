// SPDX-License-Identifier: GPL-3.0-or-later
// Which repair is worth taking: every kind fitted on one part of the calibration windows and judged on the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/evaluation/evaluation.h"
#include "core/repair/repair.h"

namespace suture {

/// What is tried beside no repair.
struct TrialSettings {
    std::vector<std::string> kinds = {};  ///< empty: every kind
    bool massive_each = false;            ///< least-squares kinds are fitted with massive tokens kept, masked and weighted; else as set

    /// `kinds`, or all of them; without "none".
    std::vector<std::string> tried() const;
    /// Ways in which massive tokens count in the fits of a kind; the first is the one set.
    std::vector<std::string> massive_of(const std::string& kind, const RepairSettings& settings) const;
};

struct RepairTrial {
    std::string kind;
    std::string massive = "keep";              ///< how tokens of massive activations counted in the fit
    std::string refusal;                       ///< why it could not be tried; empty: it was
    Repaired repaired;                         ///< fitted on the smaller part
    Evaluation held_out;                       ///< on the windows the fit did not see
    double to_none = 1;                        ///< perplexity over that without repair
    std::optional<Interval> to_none_interval;  ///< 95 %, paired over windows; none below 8 windows
};

struct Recommendation {
    std::vector<RepairTrial> trials;  ///< "none" first
    std::size_t best = 0;             ///< place in trials; 0 when nothing is better than no repair
    std::int64_t held_out_tokens = 0;
    std::string reason;  ///< one sentence
    const RepairTrial& recommended() const { return trials[best]; }
    nlohmann::json to_json() const;
    Table table() const;
};

/// Kinds that the model refuses are listed with the reason. A kind is recommended only when its held-out perplexity is below that of no
/// repair with the whole paired interval; without an interval none is. Throws Cancelled; Error when there are fewer than two windows.
Recommendation recommend_repair(std::shared_ptr<const Model> model, const Windows& windows, const LayerSet& removed,
                                const TrialSettings& trials, const RepairSettings& settings, const ComputeSettings& compute,
                                Progress& progress);

}  // namespace suture
