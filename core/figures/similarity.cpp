// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/similarity.h"

#include "core/base/error.h"
#include "core/figures/internal/parts.h"

namespace suture {
namespace {

/// Why n layers can't be removed; empty when they can.
std::string impossible(const Statistics& statistics, int n) {
    const int most = statistics.layers - 2;
    if (n >= 1 && n <= most) return {};
    return "Of " + std::to_string(statistics.layers) + " layers the first and the last stay, so " +
           (most < 1 ? "none can be proposed." : "choose a number from 1 to " + std::to_string(most) + ".");
}

double score_of_choice(const Ranking& ranking) {
    if (ranking.blocks) return ranking.scores.at(ranking.removed.layers().front());
    double sum = 0;
    for (const int layer : ranking.removed.layers()) sum += ranking.scores.at(layer);
    return sum / ranking.removed.size();
}

/// What stays whatever the criterion says, in words; empty when only the ends do.
std::string protection_words(const SelectionInput& input) {
    const Protection& p = input.protection;
    LayerSet layers = p.layers;
    if (const auto massive = p.massive_activation ? massive_activation(*input.statistics) : std::nullopt)
        layers = layers.with(massive->layer);
    std::string words = layers.empty() ? "" : layer_words(layers) + (layers.size() == 1 ? " is protected" : " are protected");
    if (p.ends > 1) words += (words.empty() ? "" : ", ") + std::to_string(p.ends) + " layers stay at each end";
    return words;
}

Series mark(const std::string& name, Role role, int at, double score) {
    return {.name = name, .role = role, .style = Series::Style::Points, .x = {double(at)}, .y = {score}};
}

void add_block_scores(Figure& figure, const Ranking& ranking, int n, const LayerSet& removed) {
    Series scores{.name = "blocks of " + std::to_string(n), .style = Series::Style::LineAndPoints};
    for (const auto& [start, score] : ranking.scores) {
        scores.x.push_back(start);
        scores.y.push_back(score);
        scores.point_labels.push_back("removes " + layer_words(LayerSet::range(start, n)));
    }
    figure.series.push_back(std::move(scores));
    figure.series.push_back(
        mark("best: " + layer_words(ranking.removed), Role::Accent, ranking.removed.layers().front(), score_of_choice(ranking)));
    const auto seams = seams_of(removed);
    if (seams.size() != 1 || seams[0].removed() != n || removed == ranking.removed) return;
    if (const auto chosen = ranking.scores.find(seams[0].start); chosen != ranking.scores.end())
        figure.series.push_back(mark("chosen: " + layer_words(removed), Role::Removed, chosen->first, chosen->second));
}

void add_layer_scores(Figure& figure, const Ranking& ranking, const LayerSet& removed) {
    Series others{.name = "other layers", .style = Series::Style::Bars};
    Series best{.name = "best: " + layer_words(ranking.removed), .role = Role::Accent, .style = Series::Style::Bars};
    for (const auto& [layer, score] : ranking.scores) {
        Series& series = ranking.removed.contains(layer) ? best : others;
        series.x.push_back(layer);
        series.y.push_back(score);
    }
    figure.series = {std::move(others), std::move(best)};
    figure.spans = removed_spans(removed);
}

}  // namespace

Figure layer_similarity(const Statistics* statistics, const LayerSet& removed) {
    Figure result = figure("similarity-layers", "How little each layer changes the stream", {.title = "layer", .integers = true},
                           {.title = "cosine of its input and output"}, missing(statistics));
    if (!statistics) return result;
    Series cosines{.name = "cosine(x_l, x_l+1)", .style = Series::Style::LineAndPoints};
    for (int l = 0; l < statistics->layers; ++l) {
        cosines.x.push_back(l);
        cosines.y.push_back(statistics->cosine_token.at(l, l + 1));
    }
    result.series.push_back(std::move(cosines));
    result.spans = removed_spans(removed);
    result.caption = joined({conditions_words(statistics->conditions), "mean over tokens", removal_words(removed, statistics->layers)});
    return result;
}

Figure criterion_scores(const SelectionInput& input, const std::string& name, int n, const LayerSet& removed) {
    const Statistics* statistics = input.statistics;
    const Criterion& criterion = criterion_named(name);
    Figure result =
        figure("similarity-" + name, criterion.label + ", " + std::to_string(n) + (n == 1 ? " layer" : " layers") + " to remove",
               {.title = "first removed layer", .integers = true}, {.title = criterion.label}, missing(statistics));
    if (!statistics || !(result.empty = impossible(*statistics, n)).empty()) return result;
    Ranking ranking;
    try {
        ranking = rank_layers(input, name, n);
    } catch (const Error& error) {  // the protected layers leave too few
        result.empty = error.what();
        return result;
    }
    result.y.title += ranking.higher_is_better ? " (highest goes first)" : " (lowest goes first)";
    if (!ranking.blocks) result.x.title = "layer";
    if (ranking.blocks) add_block_scores(result, ranking, n, removed);
    else add_layer_scores(result, ranking, removed);
    result.caption = joined({conditions_words(statistics->conditions), "proposal " + removal_words(ranking.removed, statistics->layers),
                             protection_words(input)});
    return result;
}

Figure pair_similarity(const Statistics* statistics, bool token_axis, const LayerSet& removed) {
    const Axis later{.title = "stream entering layer j", .integers = true}, earlier{.title = "stream entering layer i", .integers = true};
    Figure result = figure(token_axis ? "similarity-pairs-token-axis" : "similarity-pairs", "How alike the stream is at any two points",
                           later, earlier, missing(statistics));
    if (!statistics) return result;
    const Matrix& pairs = token_axis ? statistics->cosine_token_axis : statistics->cosine_token;  // [P, P]
    result.map = HeatMap{.values = pairs, .value_title = token_axis ? "cosine along tokens" : "cosine(x_i, x_j)"};
    std::vector<std::string> caption{conditions_words(statistics->conditions),
                                     std::to_string(statistics->layers) + " stands for the final norm"};
    for (const Seam& seam : seams_of(removed))
        caption.push_back("without " + seam.words() + ": " + significant(pairs.at(seam.start, seam.end), 4));
    result.caption = joined(caption);
    return result;
}

Table criteria_choices(const SelectionInput& input, int n) {
    Table table{.title = "What the criteria would remove", .columns = {{"criterion"}, {"removes"}, {"score", 4}}};
    if (!input.statistics || !impossible(*input.statistics, n).empty()) return table;
    for (const Criterion* criterion : criteria()) try {
            const Ranking ranking = rank_layers(input, criterion->name, n);
            table.rows.push_back({criterion->label, layer_words(ranking.removed), score_of_choice(ranking)});
            table.notes.emplace_back();
        } catch (const Error& error) {  // the protected layers leave too few
            table.rows.push_back({criterion->label, Cell(), Cell()});
            table.notes.push_back({"", error.what(), error.what()});
        }
    return table;
}

}  // namespace suture
