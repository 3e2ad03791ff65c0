// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/recommendation.h"

#include <algorithm>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

constexpr double logarithmic_from = 10;  // largest over smallest ratio

std::string massive_words(const std::string& massive) {
    return massive == "mask" ? "left out" : massive == "weight" ? "weighted down" : "kept";
}

/// Several ways were tried, so that the label has to tell which one it was.
bool tried_again(const Recommendation& found, const RepairTrial& trial) {
    return std::count_if(found.trials.begin(), found.trials.end(), [&](const auto& other) { return other.kind == trial.kind; }) > 1;
}

Series point(const std::string& name, Role role, double x, const RepairTrial& trial) {
    Series series{.name = name, .role = role, .style = Series::Style::Points, .x = {x}, .y = {trial.to_none}};
    if (const auto& range = trial.to_none_interval) {
        series.low = {range->low};
        series.high = {range->high};
    }
    series.point_labels = {trial_words(trial) + ", perplexity " + significant(trial.held_out.perplexity(), 4)};
    return series;
}

void append(Series& all, const Series& one) {
    for (auto member : {&Series::x, &Series::y, &Series::low, &Series::high})
        (all.*member).insert((all.*member).end(), (one.*member).begin(), (one.*member).end());
    all.point_labels.insert(all.point_labels.end(), one.point_labels.begin(), one.point_labels.end());
}

}  // namespace

std::string trial_words(const RepairTrial& trial) {
    const std::string label = repair_kind(trial.kind).label;
    return trial.massive == "keep" ? label : label + ", massive tokens " + massive_words(trial.massive);
}

Figure repair_ratios(const Recommendation* found, bool stale) {
    Figure result = figure("repair-ratios", "Perplexity against no repair, on windows that no fit saw", {.title = "repair"},
                           {.title = "times the perplexity without repair"},
                           found ? "" : "Let every repair be tried to see which is best for these layers and this text.");
    if (!found) return result;
    Series others{.name = "repaired", .role = stale ? Role::Neutral : Role::Patched, .style = Series::Style::Points};
    Series best{.name = "recommended", .role = stale ? Role::Neutral : Role::Accent, .style = Series::Style::Points};
    double low = 1, high = 1;
    for (std::size_t t = 1; t < found->trials.size(); ++t) {
        const RepairTrial& trial = found->trials[t];
        if (!trial.refusal.empty()) continue;
        append(t == found->best ? best : others, point("", Role::Patched, double(result.x.labels.size()), trial));
        result.x.labels.push_back(repair_kind(trial.kind).label +
                                  (tried_again(*found, trial) ? ", " + massive_words(trial.massive) : std::string()));
        low = std::min(low, trial.to_none);
        high = std::max(high, trial.to_none);
    }
    for (Series* series : {&best, &others})
        if (!series->x.empty()) result.series.push_back(std::move(*series));
    if (result.series.empty()) result.empty = "No repair could be tried; the table tells why.";
    result.y.log = high / low > logarithmic_from;
    result.guides.push_back({1, "no repair"});
    result.caption = joined({stale ? "stale: of other layers, text or settings than those chosen now" : "",
                             grouped(found->held_out_tokens) + " held-out calibration tokens",
                             found->trials.size() > 1 && found->trials[1].to_none_interval ? "95 % intervals, paired over windows"
                                                                                           : "too few windows for intervals"});
    return result;
}

Table repair_trials(const Recommendation* found) {
    Table table{
        .title = "Repairs on held-out calibration windows",
        .columns =
            {{"repair"}, {"massive tokens"}, {"perplexity", 3}, {"times no repair", 4}, {"95 % low", 4}, {"95 % high", 4}, {"remark"}},
        .rows = {}};
    if (!found) return table;
    for (std::size_t t = 0; t < found->trials.size(); ++t) {
        const RepairTrial& trial = found->trials[t];
        std::vector<Cell> row{repair_kind(trial.kind).label};
        if (!trial.refusal.empty()) {
            row.resize(table.columns.size());
            row.back() = trial.refusal;
        } else {
            const auto& range = trial.to_none_interval;
            row.push_back(repair_kind(trial.kind).ridge ? Cell(massive_words(trial.massive)) : Cell());
            row.insert(row.end(), {trial.held_out.perplexity(), trial.to_none, range ? Cell(range->low) : Cell(),
                                   range ? Cell(range->high) : Cell(), t == found->best ? Cell(std::string("recommended")) : Cell()});
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace suture
