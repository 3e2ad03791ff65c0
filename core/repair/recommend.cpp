// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/recommend.h"

#include "core/base/error.h"
#include "core/repair/internal/held_out.h"

namespace suture {
namespace {

RepairTrial tried(std::shared_ptr<const Model> model, const Windows& windows, const LayerSet& removed, const std::string& kind,
                  const RepairSettings& settings, const ComputeSettings& compute, Progress& progress) {
    RepairTrial trial{
        .kind = kind, .massive = settings.massive, .refusal = repair_refusal(kind, *model, removed), .repaired = no_repair(removed)};
    if (!trial.refusal.empty()) return trial;
    try {
        trial.repaired = fit_repair(model, nullptr, windows, removed, kind, settings, compute, progress);
    } catch (const Error& error) {  // too wide for the memory limit, say: the others can still be judged
        trial.refusal = error.what();
    }
    return trial;
}

constexpr std::size_t fewest_to_tell = 8;  // below there is no interval

bool is_better(const RepairTrial& trial) { return trial.refusal.empty() && trial.to_none_interval && trial.to_none_interval->high < 1; }

std::string percent(double ratio) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * (1 - ratio));
    return text;
}

}  // namespace

std::vector<std::string> TrialSettings::tried() const {
    std::vector<std::string> names = kinds;
    if (names.empty())
        for (const RepairInfo& info : repair_kinds()) names.push_back(info.name);
    std::erase(names, "none");
    return names;
}

std::vector<std::string> TrialSettings::massive_of(const std::string& kind, const RepairSettings& settings) const {
    std::vector<std::string> ways{settings.massive};
    if (!massive_each || !repair_kind(kind).ridge) return ways;
    for (const char* way : {"keep", "mask", "weight"})
        if (way != settings.massive) ways.push_back(way);
    return ways;
}

Recommendation recommend_repair(std::shared_ptr<const Model> model, const Windows& windows, const LayerSet& removed,
                                const TrialSettings& trials, const RepairSettings& settings, const ComputeSettings& compute,
                                Progress& progress) {
    const SplitWindows split = split_windows(windows);
    Recommendation result;
    result.trials.push_back({.kind = "none", .repaired = no_repair(removed)});
    for (const std::string& kind : trials.tried())
        for (const std::string& way : trials.massive_of(kind, settings)) {
            RepairSettings own = settings;
            own.massive = way;
            result.trials.push_back(tried(model, split.fit, removed, kind, own, compute, progress));
        }
    std::vector<Variant> variants;
    for (const RepairTrial& trial : result.trials) variants.push_back(trial.repaired.variant);
    auto evaluations = evaluate(model, variants, split.held_out, compute, 0, progress);
    const Evaluation none = evaluations[0];
    result.held_out_tokens = none.tokens();
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        RepairTrial& trial = result.trials[i];
        trial.held_out = std::move(evaluations[i]);
        trial.to_none = trial.held_out.perplexity() / none.perplexity();
        if (i > 0) trial.to_none_interval = trial.held_out.ratio_interval(none);
        if (is_better(trial) && (result.best == 0 || trial.held_out.nll_sum() < result.recommended().held_out.nll_sum())) result.best = i;
    }
    const RepairTrial& best = result.recommended();
    if (split.held_out.ids.size() < fewest_to_tell) {
        result.reason = std::to_string(split.held_out.ids.size()) +
                        " held-out windows are too few to tell which repair is better than none; take at least " +
                        std::to_string(4 * fewest_to_tell) + " calibration windows, of which every fourth is held out";
        return result;
    }
    result.reason = result.best == 0 ? "no repair is better than none on the windows that no fit saw"
                                     : repair_kind(best.kind).label + " has the lowest perplexity on the windows that no fit saw, " +
                                           percent(best.to_none) + " below no repair";
    return result;
}

nlohmann::json Recommendation::to_json() const {
    auto list = nlohmann::json::array();
    for (const RepairTrial& trial : trials) {
        nlohmann::json row{{"kind", trial.kind}, {"massive", trial.massive}};
        if (!trial.refusal.empty()) {
            row["refusal"] = trial.refusal;
        } else {
            row.update({{"perplexity", trial.held_out.perplexity()}, {"to_none", trial.to_none}});
            if (trial.to_none_interval) row["to_none_interval"] = {trial.to_none_interval->low, trial.to_none_interval->high};
        }
        list.push_back(std::move(row));
    }
    return {{"recommended", recommended().kind},
            {"massive", recommended().massive},
            {"reason", reason},
            {"held_out_tokens", held_out_tokens},
            {"trials", list}};
}

Table Recommendation::table() const {
    Table table{
        .title = "Repairs on held-out calibration windows",
        .columns = {
            {"repair"}, {"massive tokens"}, {"perplexity", 3}, {"times no repair", 4}, {"95 % low", 4}, {"95 % high", 4}, {"remark"}}};
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const RepairTrial& trial = trials[i];
        if (!trial.refusal.empty()) {
            table.rows.push_back({trial.kind, Cell(), Cell(), Cell(), Cell(), Cell(), trial.refusal});
            continue;
        }
        const auto& range = trial.to_none_interval;
        table.rows.push_back({trial.kind, trial.kind == "none" ? Cell() : Cell(trial.massive), trial.held_out.perplexity(), trial.to_none,
                              range ? Cell(range->low) : Cell(), range ? Cell(range->high) : Cell(),
                              i == best ? Cell(std::string("recommended")) : Cell()});
    }
    return table;
}

}  // namespace suture
