// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/selection.h"

#include <algorithm>
#include <limits>

#include "core/figures/internal/parts.h"
#include "core/selection/agreement.h"

namespace suture {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::string shown_label(const CriterionRow& row) { return row.stale ? row.label + " (stale)" : row.label; }

/// Places 0 … 1 of the values, the greatest last; equal values share the mean; NaN stays.
std::vector<double> places_of(const std::vector<double>& values) {
    const auto known = std::count_if(values.begin(), values.end(), [](double v) { return !std::isnan(v); });
    std::vector<double> places;
    for (const double value : values) {
        double below = 0, equal = 0;
        for (const double other : values) {
            below += other < value;
            equal += other == value;
        }
        places.push_back(std::isnan(value) ? unknown : known > 1 ? (below + (equal - 1) / 2) / double(known - 1) : 1);
    }
    return places;
}

std::vector<Ranking> known_rankings(const std::vector<CriterionRow>& rows, std::vector<std::string>& labels) {
    std::vector<Ranking> rankings;
    for (const CriterionRow& row : rows) {
        if (!row.ranking) continue;
        rankings.push_back(*row.ranking);
        labels.push_back(shown_label(row));
    }
    return rankings;
}

}  // namespace

double score_of_choice(const Ranking& ranking) {
    const auto score = [&](int place) {
        const auto it = ranking.scores.find(place);
        return it == ranking.scores.end() ? unknown : it->second;
    };
    if (ranking.removed.empty()) return unknown;
    if (ranking.blocks) return score(ranking.removed.layers().front());
    if (!ranking.order.empty()) return score(ranking.order.back());
    double sum = 0;
    for (const int layer : ranking.removed.layers()) sum += score(layer);
    return sum / ranking.removed.size();
}

std::vector<double> layer_places(const Ranking& ranking, int layers) {
    std::vector<double> wish(std::size_t(layers), unknown);  // the greatest goes first
    const int length = ranking.blocks ? ranking.removed.size() : 1;
    for (const auto& [place, score] : ranking.scores)
        for (int layer = place; layer < std::min(place + length, layers); ++layer) {
            const double own = ranking.higher_is_better ? score : -score;
            if (double& best = wish[std::size_t(layer)]; !(best >= own)) best = own;
        }
    double greatest = 0;
    for (const double w : wish)
        if (w > greatest) greatest = w;
    for (std::size_t i = 0; i < ranking.order.size(); ++i)
        wish[std::size_t(ranking.order[i])] = greatest + 1 + double(ranking.order.size() - i);
    return places_of(wish);
}

Figure criteria_strips(const std::vector<CriterionRow>& rows, int layers, const LayerSet& removed, const std::string& conditions) {
    const bool any = std::any_of(rows.begin(), rows.end(), [](const CriterionRow& row) { return row.ranking != nullptr; });
    Figure result = figure("selection-criteria", "What every criterion says of every layer", {.title = "layer", .integers = true}, {},
                           any ? "" : "Calibrate to see what the criteria say; those that run the model have a button each.");
    if (!any) return result;
    HeatMap map{.values = Matrix({std::int64_t(rows.size()), layers}, unknown),
                .value_title = "place in the criterion's order (1 goes first)",
                .rows_downwards = true};
    Series gone{.name = "the criterion removes", .role = Role::Removed, .style = Series::Style::Points};
    for (std::size_t r = 0; r < rows.size(); ++r) {
        result.y.labels.push_back(shown_label(rows[r]));
        if (!rows[r].ranking) continue;
        const auto places = layer_places(*rows[r].ranking, layers);
        std::copy(places.begin(), places.end(), map.values.row(std::int64_t(r)).begin());
        for (const int layer : rows[r].ranking->removed.layers()) {
            gone.x.push_back(layer);
            gone.y.push_back(double(r));
        }
    }
    result.map = std::move(map);
    result.series.push_back(std::move(gone));
    result.spans = removed_spans(removed);
    for (Span& span : result.spans) span.name = "chosen now";
    result.caption = joined({conditions, removal_words(removed, layers), "a block's score counts for all its layers"});
    return result;
}

Figure criteria_agreement(const std::vector<CriterionRow>& rows, bool scores) {
    std::vector<std::string> labels;
    const auto rankings = known_rankings(rows, labels);
    Figure result = figure(scores ? "selection-agreement-scores" : "selection-agreement-sets", "How far the criteria agree", {}, {},
                           rankings.size() > 1 ? "" : "Two criteria that answered can be compared.");
    if (rankings.size() < 2) return result;
    const Agreement found = agreement(rankings);
    result.map = HeatMap{.values = scores ? found.scores : found.removed,
                         .value_title = scores ? "rank correlation of scores" : "shared part of the removed layers",
                         .diverging = scores,
                         .reach = scores ? 1.0 : 0.0,
                         .rows_downwards = true};
    for (std::size_t i = 0; i < labels.size(); ++i) {  // names beside each other would not fit below the columns
        result.y.labels.push_back(labels[i] + "  " + std::to_string(i + 1));
        result.x.labels.push_back(std::to_string(i + 1));
    }
    result.caption = scores ? "Spearman's ρ over layers or blocks of the same kind; blank: nothing to compare"
                            : "Jaccard: layers that both remove, over layers that either removes";
    return result;
}

}  // namespace suture
