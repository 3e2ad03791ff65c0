// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/similarity.h"

#include "core/base/error.h"
#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// 5 layers; by cosine 2–3 is the best block of 2, by every other matrix 1–2.
Statistics five_layers() {
    Statistics s;
    s.layers = 5;
    s.conditions = text_conditions;
    s.cosine_token = Matrix({6, 6}, none);
    const double neighbours[] = {0.5, 0.9, 0.8, 0.99, 0.7};
    for (int l = 0; l < 5; ++l) s.cosine_token.at(l, l + 1) = neighbours[l];
    s.cosine_token.at(1, 3) = 0.7;
    s.cosine_token.at(2, 4) = 0.95;
    s.cosine_token_axis = Matrix({6, 6}, none);
    s.cosine_token_axis.at(1, 3) = 0.25;
    s.cosine_token_axis.at(2, 4) = 0.125;
    s.angular_last = Matrix({6, 6}, none);
    s.angular_last.at(1, 3) = 0.1;
    s.angular_last.at(2, 4) = 0.4;
    s.sample = Array<float>({6, 1, 1}, {1, 1, 3, 4, 8, 8});  // layers 1, 2, 3 add 2/3, 1/4 and 1/2 of what leaves them
    s.sample_tokens = {0};
    return s;
}

}  // namespace

class SimilarityFigures : public QObject {
    Q_OBJECT
    const Statistics statistics = five_layers();

private Q_SLOTS:
    void without_calibration() {
        QVERIFY(contains(layer_similarity(nullptr, {}).empty, "Calibrate"));
        QVERIFY(contains(criterion_scores({}, "cosine", 2, {}).empty, "Calibrate"));
        QVERIFY(contains(pair_similarity(nullptr, false, {}).empty, "Calibrate"));
        QVERIFY(criteria_choices({}, 2).rows.empty());
    }

    void neighbours_with_removed_layers() {
        const Figure figure = layer_similarity(&statistics, LayerSet({1, 3}));
        QCOMPARE(figure.series.size(), std::size_t(1));
        QVERIFY(near(figure.series[0].x, {0, 1, 2, 3, 4}));
        QVERIFY(near(figure.series[0].y, {0.5, 0.9, 0.8, 0.99, 0.7}));
        QVERIFY(figure.series[0].style == Series::Style::LineAndPoints && figure.x.integers);
        QCOMPARE(figure.spans.size(), std::size_t(2));
        QVERIFY(figure.spans[1].from == 3 && figure.spans[1].to == 3 && figure.spans[1].role == Role::Removed);
        QCOMPARE(figure.caption, std::string("wiki.txt, 2 × 3 tokens, no BOS · mean over tokens · removes layers 1 and 3 (2 of 5)"));
    }

    void best_and_chosen_block() {
        const Figure figure = criterion_scores({.statistics = &statistics}, "cosine", 2, LayerSet({1, 2}));
        QVERIFY(near(figure.series[0].x, {1, 2}) && near(figure.series[0].y, {0.7, 0.95}));
        QCOMPARE(figure.series[0].point_labels[1], std::string("removes layers 2–3"));
        const Series best = series_named(figure, "best: layers 2–3"), chosen = series_named(figure, "chosen: layers 1–2");
        QVERIFY(near(best.x, {2}) && near(best.y, {0.95}) && best.role == Role::Accent);
        QVERIFY(near(chosen.x, {1}) && near(chosen.y, {0.7}) && chosen.role == Role::Removed);
        QVERIFY(contains(figure.y.title, "highest goes first"));
        QVERIFY2(contains(figure.caption, "removes layers 2–3 (2 of 5)"), figure.caption.c_str());
    }

    void nothing_is_marked_as_chosen_when_it_is_no_other_block_of_n() {
        for (const LayerSet& removed : {LayerSet({2, 3}), LayerSet({1, 3}), LayerSet({1}), LayerSet({0, 1}), LayerSet()})
            QCOMPARE(criterion_scores({.statistics = &statistics}, "cosine", 2, removed).series.size(), std::size_t(2));
    }

    void lower_is_better_for_angles() {
        const Figure figure = criterion_scores({.statistics = &statistics}, "angular", 2, {});
        QVERIFY(near(series_named(figure, "best: layers 1–2").y, {0.1}));
        QVERIFY(contains(figure.y.title, "lowest goes first"));
    }

    void single_layers_as_bars() {
        const Figure figure = criterion_scores({.statistics = &statistics}, "block-influence", 2, LayerSet({2}));
        const Series best = series_named(figure, "best: layers 1 and 3"), others = series_named(figure, "other layers");
        QVERIFY(near(best.x, {1, 3}) && near(best.y, {0.1, 0.01}) && best.style == Series::Style::Bars);
        QVERIFY(near(others.x, {0, 2, 4}) && near(others.y, {0.5, 0.2, 0.3}));
        QCOMPARE(figure.spans.size(), std::size_t(1));
        QCOMPARE(figure.x.title, std::string("layer"));
    }

    void impossible_numbers_are_a_sentence() {
        for (const int n : {0, 4}) {
            const Figure figure = criterion_scores({.statistics = &statistics}, "cosine", n, {});
            QVERIFY(figure.series.empty());
            QVERIFY2(contains(figure.empty, "from 1 to 3"), figure.empty.c_str());
            QVERIFY(criteria_choices({.statistics = &statistics}, n).rows.empty());
        }
        QVERIFY_EXCEPTION_THROWN(criterion_scores({.statistics = &statistics}, "guess", 2, {}), Error);
    }

    void protected_layers_are_in_no_proposal() {
        // Without layer 3 the only block of two that may go is 1–2; of single layers 1 and 2 are left.
        const SelectionInput input{.statistics = &statistics, .protection = {.layers = LayerSet({3})}};
        const Figure blocks = criterion_scores(input, "cosine", 2, {});
        QVERIFY(near(series_named(blocks, "best: layers 1–2").y, {0.7}));
        QVERIFY2(contains(blocks.caption, "layer 3 is protected"), blocks.caption.c_str());
        QVERIFY(near(series_named(criterion_scores(input, "block-influence", 2, {}), "best: layers 1–2").x, {1, 2}));
        QCOMPARE(criteria_choices(input, 2).text(0, 1), std::string("layers 1–2"));
        const SelectionInput none{.statistics = &statistics, .protection = {.layers = LayerSet({2})}};
        QVERIFY2(contains(criterion_scores(none, "cosine", 2, {}).empty, "in a row"),
                 criterion_scores(none, "cosine", 2, {}).empty.c_str());
        QVERIFY(contains(criteria_choices(none, 2).note(0, 1), "in a row"));
    }

    void pairs_as_a_map() {
        const Figure figure = pair_similarity(&statistics, false, LayerSet({2, 3}));
        QCOMPARE(figure.map->values.at(2, 4), 0.95);
        QVERIFY(std::isnan(figure.map->values.at(4, 2)) && std::isnan(figure.map->values.at(3, 3)));
        QVERIFY2(contains(figure.caption, "without layers 2–3 (2): 0.9500"), figure.caption.c_str());
        QCOMPARE(pair_similarity(&statistics, true, {}).map->values.at(1, 3), 0.25);
        QVERIFY(figure.id != pair_similarity(&statistics, true, {}).id);
    }

    void choices_of_all_criteria() {
        const Table table = criteria_choices({.statistics = &statistics}, 2);
        QCOMPARE(table.to_csv(),
                 std::string("criterion,removes,score\r\nCosine block,layers 2–3,0.95\r\n\"Cosine block, token axis\",layers 1–2,0.25\r\n"
                             "Angular distance,layers 1–2,0.1\r\nBlock influence,layers 1 and 3,0.055\r\n"
                             "Update norm,layers 2–3,0.375\r\n"));
    }

    void csv_holds_what_is_drawn() {
        QVERIFY(contains(layer_similarity(&statistics, {}).to_csv(), "\r\n\"cosine(x_l, x_l+1)\",3,0.99,,,\r\n"));
        QVERIFY(contains(pair_similarity(&statistics, false, {}).to_csv(), "\r\n2,4,0.95\r\n"));
    }
};

SUTURE_SUITE(SimilarityFigures)
#include "similarity_test.moc"
