// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/selection.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Blocks of 2 out of 5 layers; the one from layer 2 is best.
Ranking by_blocks() { return {.criterion = "a", .removed = LayerSet({2, 3}), .scores = {{1, 0.7}, {2, 0.95}}}; }

/// Single layers, the lowest score first: 3, then 1, then 2.
Ranking by_layers() {
    return {.criterion = "b",
            .removed = LayerSet({1, 3}),
            .scores = {{0, 9}, {1, 2}, {2, 4}, {3, 1}, {4, 9}},
            .higher_is_better = false,
            .blocks = false};
}

CriterionRow row(const std::string& label, Ranking ranking) { return {label, std::make_shared<const Ranking>(std::move(ranking))}; }

/// One window: perplexity exp(nll / tokens).
std::shared_ptr<const Evaluation> evaluation(double nll, std::int64_t tokens) {
    auto e = std::make_shared<Evaluation>();
    e->windows = {{nll, tokens}};
    e->conditions = text_conditions;
    return e;
}

/// 10 M parameters per layer and 20 M besides, 5 layers.
KnownSet set(const std::string& by, std::vector<int> removed) {
    KnownSet s{.by = by, .removed = LayerSet(std::move(removed))};
    s.kept_parameters = 70e6 - 10e6 * s.removed.size();
    return s;
}

}  // namespace

class SelectionFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void places_of_blocks_count_for_their_layers() {
        // Best score a layer is in: layer 1: 0.7, layers 2 and 3: 0.95. Ranks 0, 1.5, 1.5 of 0 … 2.
        QVERIFY(near(layer_places(by_blocks(), 5), {none, 0, 0.75, 0.75, none}));
    }

    void places_of_layers_share_ties() {
        // Lowest first: 3, 1, 2, then 0 and 4 alike: ranks 4, 3, 2, 0.5, 0.5 of 0 … 4.
        QVERIFY(near(layer_places(by_layers(), 5), {0.125, 0.75, 0.5, 1, 0.125}));
    }

    void layers_removed_one_after_the_other_go_first() {
        Ranking ranking = by_layers();
        ranking.removed = LayerSet({0, 2});  // although their scores, of later rounds, are the highest
        ranking.order = {2, 0};
        QVERIFY(near(layer_places(ranking, 5), {0.75, 0.25, 1, 0.5, 0}));
        QCOMPARE(score_of_choice(ranking), 9.0);  // of layer 0, which went last
    }

    void one_known_layer_goes_first() {
        const Ranking ranking{.removed = LayerSet({1}), .scores = {{1, 5}}, .blocks = true};
        QVERIFY(near(layer_places(ranking, 3), {none, 1, none}));
    }

    void scores_of_choices() {
        QCOMPARE(score_of_choice(by_blocks()), 0.95);
        QCOMPARE(score_of_choice(by_layers()), 1.5);
        QVERIFY(std::isnan(score_of_choice({})));
    }

    void strips_mark_what_each_criterion_removes() {
        CriterionRow old = row("B", by_layers());
        old.stale = true;
        const Figure figure =
            criteria_strips({row("A", by_blocks()), {.label = "C", .state = "not run"}, old}, 5, LayerSet({1, 2, 4}), "wiki");
        QCOMPARE(figure.y.labels, (std::vector<std::string>{"A", "C", "B (stale)"}));
        QCOMPARE(figure.map->values.shape, (std::vector<std::int64_t>{3, 5}));
        QVERIFY(near({figure.map->values.data.begin() + 5, figure.map->values.data.begin() + 10}, {none, none, none, none, none}));
        QCOMPARE(figure.map->values.at(2, 3), 1.0);
        QVERIFY(figure.map->rows_downwards);
        const Series gone = series_named(figure, "the criterion removes");
        QVERIFY(near(gone.x, {2, 3, 1, 3}) && near(gone.y, {0, 0, 2, 2}));
        QCOMPARE(figure.spans.size(), std::size_t(2));
        QVERIFY(figure.spans[0].from == 1 && figure.spans[0].to == 2 && figure.spans[0].name == "chosen now");
        QVERIFY2(contains(figure.caption, "wiki · removes layers 1–2 and 4 (3 of 5)"), figure.caption.c_str());
    }

    void nothing_known_is_a_sentence() {
        QVERIFY(contains(criteria_strips({{.label = "A"}}, 5, {}, "").empty, "Calibrate"));
        QVERIFY(!criteria_agreement({row("A", by_blocks())}, false).empty.empty());
        QVERIFY(contains(cost_by_size({set("A", {1})}, "layers", {.layers = 5}).empty, "Measure"));
        QVERIFY(known_sets({}, {}).rows.empty());
    }

    void agreement_of_sets_and_of_scores() {
        Ranking other = by_layers();
        for (auto& [layer, score] : other.scores) score = -score;  // the opposite order
        other.removed = LayerSet({0, 3});
        const std::vector<CriterionRow> rows{row("A", by_layers()), {.label = "not run"}, row("B", other)};
        const Figure sets = criteria_agreement(rows, false), scores = criteria_agreement(rows, true);
        QCOMPARE(sets.map->values.shape, (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(sets.map->values.at(0, 1), 1.0 / 3);  // layer 3 of 0, 1 and 3
        QCOMPARE(scores.map->values.at(0, 1), -1.0);
        QCOMPARE(scores.map->values.at(0, 0), 1.0);
        QVERIFY(scores.map->diverging && !sets.map->diverging && sets.id != scores.id);
        QCOMPARE(sets.y.labels, (std::vector<std::string>{"A  1", "B  2"}));
    }

    void cost_over_layers_and_parameters() {
        KnownSet one = set("A", {1}), two = set("search, 2 layers", {1, 2});
        one.unpatched = evaluation(std::log(8) * 10, 10);
        one.patched = evaluation(std::log(4) * 10, 10);
        two.search = 16;
        const CostConditions conditions{.layers = 5, .repair = "LinearPatch", .dense = evaluation(std::log(2) * 10, 10)};
        const Figure layers = cost_by_size({one, two, {.by = "B"}}, "layers", conditions);
        QVERIFY(near(series_named(layers, "no repair").x, {4}) && near(series_named(layers, "no repair").y, {8}));
        QVERIFY(near(series_named(layers, "with LinearPatch").y, {4}));
        QCOMPARE(layers.series.size(), std::size_t(2));                    // the search's own text is no measure beside held-out ones
        QCOMPARE(layers.series[0].name, std::string("with LinearPatch"));  // drawn on top
        QCOMPARE(layers.series[0].point_labels[0], std::string("A · removes layer 1"));
        QVERIFY(layers.guides.size() == 1 && std::abs(layers.guides[0].y - 2) < 1e-12);
        QVERIFY(contains(layers.caption, "wiki.txt"));
        const Figure parameters = cost_by_size({one, two}, "parameters", conditions);
        QVERIFY(near(series_named(parameters, "no repair").x, {60}) && contains(parameters.x.title, "millions"));
    }

    void an_absurd_set_stands_at_the_edge() {
        KnownSet good = set("A", {1}), absurd = set("LaCo", {1, 2});
        good.unpatched = evaluation(std::log(8) * 10, 10);
        absurd.unpatched = evaluation(std::log(23282) * 10, 10);
        const CostConditions conditions{.layers = 5, .dense = evaluation(std::log(2) * 10, 10)};
        const Figure figure = cost_by_size({good, absurd}, "layers", conditions);
        QVERIFY(near(series_named(figure, "no repair").y, {8}));
        const Series above = series_named(figure, "above 10 × dense");
        QVERIFY(near(above.x, {3}) && near(above.y, {20}));
        QVERIFY2(contains(above.point_labels[0], "23282") || contains(above.point_labels[0], "23280"), above.point_labels[0].c_str());
    }

    void stale_costs_say_so() {
        KnownSet one = set("A", {1});
        one.unpatched = evaluation(10, 10);
        one.state = "measured";
        const CostConditions stale{.layers = 5, .stale = true};
        QCOMPARE(cost_by_size({one}, "layers", stale).series[0].name, std::string("no repair (stale)"));
        QVERIFY(contains(known_sets({one}, stale).text(0, 5), "stale"));
    }

    void table_of_sets() {
        KnownSet one = set("A", {1, 3});
        one.predicted = "0.95";
        one.predicted_by = "A of the block";
        one.unpatched = evaluation(std::log(8) * 10, 10);
        one.state = "measured";
        KnownSet missing{.by = "B"};
        missing.state = "not run";
        const Table table = known_sets({one, missing}, {.layers = 5, .repair = "LinearPatch"});
        QCOMPARE(table.to_csv().substr(0, table.to_csv().find("\r\n")),
                 std::string("chosen by,removes,predicted,no repair,LinearPatch,state"));
        QCOMPARE(table.text(0, 1), std::string("1 and 3"));
        QCOMPARE(table.text(0, 3), std::string("8.00"));
        QCOMPARE(table.text(0, 4), std::string("–"));
        QCOMPARE(table.text(1, 1) + table.text(1, 5), std::string("–not run"));
        QCOMPARE(table.note(0, 1), std::string("2 of 5"));
        QVERIFY(contains(table.note(0, 3), "too few windows") && contains(table.note(0, 3), "wiki.txt"));
    }
};

SUTURE_SUITE(SelectionFigures)
#include "selection_test.moc"
