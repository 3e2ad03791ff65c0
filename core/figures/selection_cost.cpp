// SPDX-License-Identifier: GPL-3.0-or-later
// What sets of layers cost: by size, and as a table.
#include <algorithm>

#include "core/figures/internal/parts.h"
#include "core/figures/selection.h"

namespace suture {
namespace {

std::string repair_words(const CostConditions& conditions) { return conditions.repair.empty() ? "patched" : "with " + conditions.repair; }

std::string marked(const std::string& name, const CostConditions& conditions) { return conditions.stale ? name + " (stale)" : name; }

std::string point_label(const KnownSet& set) { return set.by + " · removes " + layer_words(set.removed); }

/// Moves what lies above the edge onto it, into a series of its own whose labels tell the value.
void cap(Series& series, double edge, Series& above) {
    Series below = series;
    below.x.clear(), below.y.clear(), below.point_labels.clear();
    for (std::size_t i = 0; i < series.x.size(); ++i) {
        Series& to = series.y[i] > edge ? above : below;
        to.x.push_back(series.x[i]);
        to.y.push_back(std::min(series.y[i], edge));
        to.point_labels.push_back(series.point_labels[i] +
                                  (series.y[i] > edge ? " · " + series.name + " " + significant(series.y[i], 4) : ""));
    }
    series = std::move(below);
}

/// Points of the sets that have such a value.
template <class Value>
Series points(const std::string& name, Role role, const std::vector<KnownSet>& sets, const std::string& size, int layers, Value value) {
    Series series{.name = name, .role = role, .style = Series::Style::Points};
    for (const KnownSet& set : sets) {
        const std::optional<double> y = value(set);
        if (!y || set.removed.empty()) continue;
        series.x.push_back(kept_size(set, size, layers));
        series.y.push_back(*y);
        series.point_labels.push_back(point_label(set));
    }
    return series;
}

std::optional<double> perplexity_of(const std::shared_ptr<const Evaluation>& evaluation) {
    return evaluation ? std::optional(evaluation->perplexity()) : std::nullopt;
}

std::string interval_note(const std::shared_ptr<const Evaluation>& evaluation) {
    if (!evaluation) return {};
    const auto interval = evaluation->interval();
    return joined({interval ? "95 % interval " + significant(interval->low, 4) + " – " + significant(interval->high, 4)
                            : "too few windows for an interval",
                   conditions_words(evaluation->conditions)});
}

Cell perplexity_cell(const std::shared_ptr<const Evaluation>& evaluation) {
    Cell cell;
    if (evaluation) cell = evaluation->perplexity();
    return cell;
}

}  // namespace

double kept_size(const KnownSet& set, const std::string& size, int layers) {
    return size == "layers" ? layers - set.removed.size() : set.kept_parameters / 1e6;
}

Figure cost_by_size(const std::vector<KnownSet>& sets, const std::string& size, const CostConditions& conditions) {
    const bool by_layers = size == "layers";
    Figure result = figure("selection-cost-" + size, "What every known set costs",
                           {.title = by_layers ? "layers kept" : "parameters kept (millions)", .integers = by_layers},
                           {.title = "perplexity", .log = true}, "");
    Series above{.name = "above 10 × dense", .role = Role::Removed, .style = Series::Style::Points};
    const auto add = [&](Series series) {
        if (conditions.dense) cap(series, highest_times_dense * conditions.dense->perplexity(), above);
        if (!series.x.empty()) result.series.push_back(std::move(series));
    };
    add(points(marked(repair_words(conditions), conditions), Role::Patched, sets, size, conditions.layers,
               [](const KnownSet& set) { return perplexity_of(set.patched); }));
    add(points(marked("no repair", conditions), Role::Unpatched, sets, size, conditions.layers,
               [](const KnownSet& set) { return perplexity_of(set.unpatched); }));
    if (!above.x.empty()) result.series.push_back(std::move(above));
    if (result.series.empty()) {
        result.empty = "Measure the sets of the table to see what a smaller model costs.";
        return result;
    }
    if (conditions.dense) result.guides.push_back({conditions.dense->perplexity(), "dense"});
    const auto shown = std::find_if(sets.begin(), sets.end(), [](const KnownSet& set) { return set.unpatched || set.patched; });
    result.caption = joined({shown == sets.end() ? "" : conditions_words((shown->patched ? shown->patched : shown->unpatched)->conditions),
                             "a click removes the layers of a point"});
    return result;
}

Table known_sets(const std::vector<KnownSet>& sets, const CostConditions& conditions) {
    Table table{.title = "What each set costs, in perplexity",
                .columns = {{"chosen by"},
                            {"removes"},
                            {"predicted"},
                            {"no repair", 2},
                            {conditions.repair.empty() ? "repaired" : conditions.repair, 2},
                            {"state"}}};
    for (const KnownSet& set : sets) {
        const bool measured = set.unpatched || set.patched;
        const std::string state = measured && conditions.stale ? "measured before: stale" : set.state;
        table.rows.push_back({set.by, set.removed.empty() ? Cell() : Cell(set.removed.words()),
                              set.predicted.empty() ? Cell() : Cell(set.predicted), perplexity_cell(set.unpatched),
                              perplexity_cell(set.patched), state});
        table.notes.push_back({"",
                               set.removed.empty() ? "" : std::to_string(set.removed.size()) + " of " + std::to_string(conditions.layers),
                               set.predicted_by, interval_note(set.unpatched), interval_note(set.patched), state});
    }
    return table;
}

}  // namespace suture
