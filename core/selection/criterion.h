// SPDX-License-Identifier: GPL-3.0-or-later
// Which layers to remove. One file in core/selection/criteria adds one criterion.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/layers.h"
#include "core/base/progress.h"
#include "core/calibration/statistics.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/repair/repair.h"
#include "core/selection/protection.h"
#include "core/store/store.h"
#include "core/text/windows.h"

namespace suture {

/// What a criterion takes beyond the number of layers. Those that need statistics only answer at once; all others are jobs.
struct Needs {
    bool statistics = false;   ///< of a calibration run
    bool weights = false;      ///< reads every layer's weights
    bool evaluations = false;  ///< runs changed models over the calibration windows
    bool gradients = false;    ///< runs the model forwards and backwards over the calibration windows
    bool repair = false;       ///< depends on the kind of repair
    bool instant() const { return !weights && !evaluations && !gradients && !repair; }
    bool model() const { return weights || evaluations || gradients || repair; }
    bool windows() const { return evaluations || gradients; }
};

struct SelectionSettings {
    std::string angular = "last";    ///< angular: the angle at each window's "last" token, as published, or the mean over "all" tokens
    bool no_plus = false;            ///< ppl, taylor, magnitude: without the published rule that layers 0 to 3 and the last two stay
    double laco_threshold = 0.45;    ///< laco: a merge stays when the final states' cosine with the dense model's is above this
    std::int64_t laco_group = 7;     ///< laco: layers that one merge makes into one, at most
    std::int64_t laco_interval = 1;  ///< laco: layers to step towards the input after an accepted merge

    static const std::vector<Setting<SelectionSettings>>& fields();
};

/// All that a criterion may read; what its Needs don't name may be absent.
struct SelectionInput {
    const Statistics* statistics = nullptr;
    std::shared_ptr<const Model> model = nullptr;
    const Windows* windows = nullptr;  ///< calibration text
    ComputeSettings compute = {};
    std::string repair = "none";
    RepairSettings repair_settings = {};
    Protection protection = {};
    SelectionSettings settings = {};
    Progress* progress = nullptr;  ///< null: silent

    /// Of the statistics or the model, whichever is there.
    int layers() const;
    Progress& tell() const;  ///< `progress`, or a silent one
};

/// A criterion's answer for n layers.
struct Ranking {
    std::string criterion;
    LayerSet removed;              ///< its choice
    std::map<int, double> scores;  ///< by first layer of a block, or by layer
    bool higher_is_better = true;  ///< a high score speaks for removal
    bool blocks = true;            ///< scores are of blocks of n layers; false: of single layers
    std::vector<int> order = {};   ///< removed layers, the first to go first, where the criterion removes one after the other
    std::optional<Variant> merged = std::nullopt;          ///< laco: the plan in which kept layers took up the removed ones
    nlohmann::json parameters = nlohmann::json::object();  ///< settings that the answer rests on, for the recipe

    Artefact to_artefact() const;
    static Ranking from_artefact(const Artefact& artefact);
};

struct Criterion {
    int order = 0;
    std::string name;      ///< in the terminal
    std::string label;     ///< in the window
    std::string help;      ///< one sentence
    std::string json_key;  ///< where `analyze --json` puts the block scores: cosine_token, …; empty: nowhere
    Needs needs = {.statistics = true};
    Ranking (*rank)(const SelectionInput& input, int n) = nullptr;
    /// What is wrong with choosing n by it, beyond what check_ranking() asks of all: throws a usage Error. Null: nothing can be.
    void (*check)(const Criterion& self, const SelectionInput& input, int n) = nullptr;
    /// What ranking will take, to be told before it starts; null where it is not worth telling.
    MemoryEstimate (*memory)(const Model& model, const Windows& windows, const ComputeSettings& compute) = nullptr;
};

/// Every criterion, one per file, by file name.
std::span<const Criterion* const> all_criteria();
/// Those that the statistics alone answer, at once, in the order in which they are offered.
std::vector<const Criterion*> criteria();
/// Every criterion in the order in which they are offered: the instant ones, then those that are jobs.
std::vector<const Criterion*> every_criterion();
/// Throws a usage Error naming the known ones.
const Criterion& criterion_named(const std::string& name);

/// Throws a usage Error when n is below 1 or leaves no start 1 … L-n-1: layer 0 and the last stay.
void check_removal_count(int layers, int n);

/// Removes n layers by one of criteria(); layer 0 and the last one stay. n as check_removal_count() wants it.
Ranking rank_layers(const Statistics& statistics, const std::string& criterion, int n);
/// Removes n layers by any criterion. Throws a usage Error when what it needs is absent, or too few layers may go; Cancelled.
Ranking rank_layers(const SelectionInput& input, const std::string& criterion, int n);

/// Names the Ranking by everything it depends on. Needs the model.
Key ranking_key(const SelectionInput& input, const std::string& criterion, int n);

}  // namespace suture
