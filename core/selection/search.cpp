// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/search.h"

#include <chrono>
#include <numeric>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/repair/internal/held_out.h"
#include "core/selection/internal/set_scorer.h"

namespace suture {
namespace {

class Search {
public:
    Search(const SelectionInput& input, const Budget& budget, const SearchSettings& settings, const SetScorer::Fit* fit,
           const FoundListener& found)
        : input_(input),
          budget_(budget),
          settings_(settings),
          found_(found),
          removable_(removable_layers(input.layers(), input.protection, input.statistics)),
          scorer_(input, budget, settings.screen, fit) {}

    SearchResult run() {
        try {
            input_.tell().begin("Searching", expected_sets(), "sets");
            scorer_.hold({LayerSet()});
            record(scorer_.score({}));
            if (settings_.block) search_blocks();
            else search_sets();
            if (!settings_.block) exchange();
        } catch (const Cancelled&) {
            result_.complete = false;  // what was found stays
        }
        describe();
        return std::move(result_);
    }

private:
    std::size_t width() const { return settings_.method == "beam" ? std::size_t(std::max<std::int64_t>(1, settings_.beam)) : 1; }

    /// Adds the widest layers first: the fewest rounds a search can need, and about the sets they try.
    std::int64_t expected_sets() const {
        std::vector<double> costs;
        for (const int l : removable_) costs.push_back(budget_.cost[std::size_t(l)]);
        std::sort(costs.rbegin(), costs.rend());
        double gone = 0;
        std::int64_t sets = 0, rounds = 0;
        for (const auto left = std::int64_t(costs.size()); rounds < left && gone < budget_.amount; ++rounds) {
            gone += costs[std::size_t(rounds)];
            sets += (left - rounds) * (rounds > 0 && !settings_.block ? std::int64_t(width()) : 1);
        }
        return 1 + sets + (settings_.block ? 0 : std::min(settings_.exchange, rounds) * (std::int64_t(costs.size()) - rounds));
    }

    void record(const FoundSet& set) {
        const auto it = result_.best.find(set.removed.size());
        const bool best = it == result_.best.end() || set.nll() < it->second.nll();
        if (best) result_.best[set.removed.size()] = set;
        if (budget_.met_by(set.removed) && (!result_.chosen || set.nll() < result_.chosen->nll())) result_.chosen = set;
        if (!best) return;
        describe();
        if (found_) found_(result_);
    }

    void describe() {
        scorer_.count(result_);
        const int reached = result_.chosen ? result_.chosen->removed.size() : result_.best.empty() ? 0 : result_.best.rbegin()->first;
        result_.passes_plain = plain_passes(reached);
        result_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }

    std::int64_t plain_passes(int n) const {
        std::int64_t passes = 0;
        for (int k = 1; k <= n; ++k) {
            const auto sets = settings_.block ? removable_blocks(removable_, k).size() : removable_.size() - std::size_t(k) + 1;
            passes += std::int64_t(sets) * (input_.layers() - k) * std::int64_t(input_.windows->ids.size());
        }
        return passes;
    }

    /// Every block of 1, 2, … layers until the best one meets the budget.
    void search_blocks() {
        for (int n = 1; n <= int(removable_.size()); ++n) {
            const auto ranked = scorer_.best_of(removable_blocks(removable_, n), 1);
            for (const FoundSet& set : ranked) record(set);
            if (ranked.empty() || budget_.met_by(ranked.front().removed)) return;
        }
    }

    /// One layer more per round; the `width` best sets are followed.
    void search_sets() {
        std::vector<FoundSet> beam{result_.best.at(0)};
        while (!beam.empty()) {
            std::map<std::vector<int>, std::vector<int>> order_of;  // the first way to each set
            std::vector<LayerSet> parents, children;
            for (const FoundSet& parent : beam) {
                parents.push_back(parent.removed);
                for (const int layer : removable_) {
                    const LayerSet child = parent.removed.with(layer);
                    auto order = parent.order;
                    order.push_back(layer);
                    if (!parent.removed.contains(layer) && order_of.try_emplace(child.layers(), order).second) children.push_back(child);
                }
            }
            for (const LayerSet& seed : seeds(beam.front().removed.size() + 1))
                if (order_of.try_emplace(seed.layers(), seed.layers()).second) children.push_back(seed);
            scorer_.hold(parents);
            beam = scorer_.best_of(children, width());
            if (beam.size() > width()) beam.resize(width());
            for (FoundSet& set : beam) {
                set.order = order_of.at(set.removed.layers());
                record(set);
            }
            std::erase_if(beam, [&](const FoundSet& set) { return budget_.met_by(set.removed); });
        }
    }

    /// What the instant criteria would remove.
    std::vector<LayerSet> seeds(int n) const {
        std::vector<LayerSet> sets;
        if (settings_.no_seeds || !input_.statistics || n < 2 || n > input_.layers() - 2) return sets;
        for (const Criterion* criterion : criteria()) try {
                sets.push_back(rank_layers(input_, criterion->name, n).removed);
            } catch (const Error&) {  // no block of so many layers may go
            }
        return sets;
    }

    /// Puts one layer back and removes another while that helps; the layers that went first, knowing least, are asked first.
    void exchange() {
        if (!result_.chosen) return;
        FoundSet best = *result_.chosen;
        std::size_t asked = 0;
        for (std::int64_t tries = settings_.exchange; tries > 0 && asked < best.order.size(); --tries) {
            const int back = best.order[asked];
            const LayerSet rest = best.removed.without(back);
            std::vector<LayerSet> candidates;
            for (const int layer : removable_)
                if (const LayerSet set = rest.with(layer); !best.removed.contains(layer) && budget_.met_by(set)) candidates.push_back(set);
            scorer_.hold({rest});
            auto better = scorer_.best_of(candidates, 1, &best);
            ++asked;
            if (better.empty() || better.front().nll() >= best.nll()) continue;
            auto order = best.order;
            std::erase(order, back);
            for (const int layer : better.front().removed.layers())
                if (!best.removed.contains(layer)) order.push_back(layer);
            best = better.front();
            best.order = order;
            asked = 0;
            record(best);
        }
    }

    const SelectionInput& input_;
    const Budget& budget_;
    const SearchSettings& settings_;
    const FoundListener& found_;
    std::vector<int> removable_;
    SetScorer scorer_;
    SearchResult result_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

void check_search(const SelectionInput& input, const Budget& budget) {
    if (!input.model || !input.windows) throw usage_error("a search needs the model and windows of a calibration text; give a text");
    require_predictions(*input.windows);
    if (repair_kind(input.repair).fitted && !input.statistics)
        throw usage_error("a search with the repair \"" + input.repair + "\" needs the statistics of a calibration");
    if (repair_kind(input.repair).fitted && input.windows->ids.size() < 2)
        throw usage_error(input.windows->source + ": a search with the repair \"" + input.repair +
                          "\" fits on one part of the windows and scores on the other; give at least 2 windows");
    const LayerSet all(removable_layers(input.layers(), input.protection, input.statistics));
    if (!budget.met_by(all)) {
        char text[200];
        std::snprintf(text, sizeof text, "the budget of %.10g %s can't be met: the %d layers that may go come to %.10g", budget.amount,
                      budget.unit.c_str(), all.size(), budget.cost_of(all));
        throw usage_error(text);
    }
}

SearchResult search_held_out(const SelectionInput& input, const Budget& budget, const SearchSettings& settings,
                             const FoundListener& found) {
    const SplitWindows split = split_windows(*input.windows);
    require_predictions(split.held_out);
    SelectionInput scored = input;
    scored.windows = &split.held_out;
    try {
        const Statistics statistics = calibrate(input.model, split.fit, {}, input.compute, input.tell());
        const SetScorer::Fit fit{statistics, split.fit};
        return Search(scored, budget, settings, &fit, found).run();
    } catch (const Cancelled&) {
        SearchResult nothing;
        nothing.complete = false;
        return nothing;
    }
}

}  // namespace

void check_search_settings(const SearchSettings& settings) {
    if (!(settings.screen > 0 && settings.screen <= 1))
        throw usage_error("--screen: a share of the windows is above 0 and at most 1, where 1 means no screening");
    if (settings.beam < 1) throw usage_error("--beam: at least one set has to be followed");
}

const std::vector<Setting<SearchSettings>>& SearchSettings::fields() {
    static const std::vector<Setting<SearchSettings>> list{
        {"search", "Search", "greedy: follow the best set only; beam: the best few", &SearchSettings::method, {"greedy", "beam"}},
        {"beam", "Beam width", "sets that a beam search follows", &SearchSettings::beam},
        {"block", "One block", "search only blocks of neighbouring layers, all of them", &SearchSettings::block},
        {"screen", "Screening", "share of the windows on which all candidates are tried first; the better third goes on; 1: no screening",
         &SearchSettings::screen},
        {"exchange", "Exchanges", "tries, after the search, to put one layer back and remove a better one", &SearchSettings::exchange},
        {"no-seeds", "Without seeds", "do not also try what the instant criteria propose", &SearchSettings::no_seeds},
    };
    return list;
}

double FoundSet::nll() const {
    double sum = 0, tokens = 0;
    for (const WindowScore& w : windows) {
        sum += w.nll_sum;
        tokens += double(w.tokens);
    }
    return sum / tokens;
}

nlohmann::json SearchResult::to_json() const {
    const auto set_json = [](const FoundSet& set) {
        return nlohmann::json{{"removed", set.removed.layers()},
                              {"order", set.order},
                              {"cost", set.cost},
                              {"nll", set.nll()},
                              {"perplexity", set.perplexity()}};
    };
    nlohmann::json json{{"evaluations", evaluations}, {"passes", passes},     {"passes_plain", passes_plain},
                        {"seconds", seconds},         {"complete", complete}, {"parameters", parameters}};
    json["best"] = nlohmann::json::object();
    for (const auto& [size, set] : best) json["best"][std::to_string(size)] = set_json(set);
    if (chosen) json.update(set_json(*chosen));
    else if (!best.empty()) json.update(set_json(best.rbegin()->second));  // cancelled: the furthest it came
    return json;
}

SearchResult search(const SelectionInput& input, const Budget& budget, const SearchSettings& settings, const FoundListener& found) {
    const c10::InferenceMode no_gradients;
    check_search_settings(settings);
    check_search(input, budget);
    const bool fitted = repair_kind(input.repair).fitted;
    SearchResult result = fitted ? search_held_out(input, budget, settings, found) : Search(input, budget, settings, nullptr, found).run();
    result.parameters = settings_to_json(settings);
    result.parameters.update({{"budget", {{"unit", budget.unit}, {"amount", budget.amount}, {"counts", "layers only"}}},
                              {"scored_on", fitted ? "every fourth window, held out from the repairs' fit" : "all windows"},
                              {"repair", input.repair},
                              {"protection", input.protection.to_json()},
                              {"text", input.windows->conditions()},
                              {"dtype", input.compute.dtype}});
    if (input.repair != "none") result.parameters["repair_settings"] = settings_to_json(input.repair_settings);
    return result;
}

MemoryEstimate estimate_search(const Model& model, const Windows& windows, const ComputeSettings& compute, const SearchSettings& settings) {
    return estimate_states(model, windows, compute, settings.method == "beam" ? settings.beam : 1);
}

}  // namespace suture
