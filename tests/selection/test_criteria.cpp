// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/selection/criterion.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

/// Six layers whose pair values are set by hand; everything else 0.
Statistics six_layers() {
    Statistics s;
    s.layers = 6;
    for (Matrix* m : {&s.cosine_token, &s.cosine_token_axis, &s.angular_last}) *m = Matrix({7, 7}, 0.0);
    const double neighbours[]{0.1, 0.9, 0.8, 0.95, 0.7, 0.99};  // cosine(x_l, x_{l+1})
    for (int l = 0; l < 6; ++l) s.cosine_token.at(l, l + 1) = neighbours[l];
    s.cosine_token.at(0, 2) = 0.999;  // starts at 0: not a candidate
    s.cosine_token.at(1, 3) = 0.5;
    s.cosine_token.at(2, 4) = 0.6;
    s.cosine_token.at(3, 5) = 0.55;
    s.cosine_token.at(4, 6) = 0.998;  // takes the last layer: not a candidate
    s.cosine_token_axis.at(3, 5) = 0.4;
    s.angular_last.at(1, 3) = 0.2;
    s.angular_last.at(2, 4) = 0.3;
    s.angular_last.at(3, 5) = 0.25;
    return s;
}

}  // namespace

class TestCriteria : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void blocks_keep_both_ends() {
        const Statistics s = six_layers();
        const Ranking cosine = rank_layers(s, "cosine", 2);
        QCOMPARE(cosine.removed.layers(), (std::vector<int>{2, 3}));
        QCOMPARE(cosine.scores, (std::map<int, double>{{1, 0.5}, {2, 0.6}, {3, 0.55}}));
        QCOMPARE(rank_layers(s, "cosine-token-axis", 2).removed.layers(), (std::vector<int>{3, 4}));
        QCOMPARE(rank_layers(s, "angular", 2).removed.layers(), (std::vector<int>{1, 2}));  // the smallest angle
        QCOMPARE(rank_layers(s, "cosine", 1).removed.layers(), std::vector<int>{3});
        QCOMPARE(rank_layers(s, "cosine", 4).removed.layers(), (std::vector<int>{1, 2, 3, 4}));
    }

    void the_angle_of_all_tokens_is_a_setting() {
        Statistics s = six_layers();
        s.angular_all = Matrix({7, 7}, 0.4);
        s.angular_all.at(2, 4) = 0.35;
        SelectionInput input{.statistics = &s};
        QCOMPARE(rank_layers(input, "angular", 2).removed.layers(), (std::vector<int>{1, 2}));
        input.settings.angular = "all";
        QCOMPARE(rank_layers(input, "angular", 2).removed.layers(), (std::vector<int>{2, 3}));
    }

    void block_influence_takes_any_inner_layers() {
        const Ranking ranking = rank_layers(six_layers(), "block-influence", 2);
        QCOMPARE(ranking.removed.layers(), (std::vector<int>{1, 3}));  // influence 0.1 and 0.05; layer 5 with 0.01 is the last one
        QVERIFY(!ranking.blocks);
        QVERIFY(std::abs(ranking.scores.at(2) - 0.2) < 1e-12);
    }

    void equal_scores_take_the_first() {
        Statistics s = six_layers();
        s.cosine_token.at(1, 3) = s.cosine_token.at(2, 4) = s.cosine_token.at(3, 5) = -0.5;  // negative ones count too
        QCOMPARE(rank_layers(s, "cosine", 2).removed.layers(), (std::vector<int>{1, 2}));
    }

    void impossible_counts_are_refused() {
        for (const int n : {0, -1, 5, 6}) try {
                rank_layers(six_layers(), "cosine", n);
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains("1 to 4 can go"), error.what());
            }
    }

    void every_entry_is_described() {
        std::vector<std::string> names;
        for (const Criterion* c : every_criterion()) {
            names.push_back(c->name);
            QVERIFY(!c->name.empty() && !c->label.empty() && c->help.ends_with("."));
            QCOMPARE(&criterion_named(c->name), c);
        }
        QCOMPARE(names, (std::vector<std::string>{"cosine", "cosine-token-axis", "angular", "block-influence", "update-norm", "sleb", "ppl",
                                                  "taylor", "magnitude", "laco", "patched"}));
        QCOMPARE(criteria().size(), std::size_t(5));
        for (const Criterion* c : criteria()) QCOMPARE(rank_layers(six_layers(), c->name, 1).removed.size(), 1);
        QVERIFY_EXCEPTION_THROWN(criterion_named("magic"), Error);
    }

    void what_is_missing_is_named_data() {
        QTest::addColumn<QString>("criterion");
        QTest::addColumn<QString>("needed");
        QTest::newRow("sleb") << "sleb"
                              << "needs the model itself";
        QTest::newRow("taylor") << "taylor"
                                << "needs the model itself";
        QTest::newRow("magnitude") << "magnitude"
                                   << "needs the model itself";
        QTest::newRow("patched") << "patched"
                                 << "needs the model itself";
    }
    void what_is_missing_is_named() {
        QFETCH(QString, criterion);
        QFETCH(QString, needed);
        try {
            rank_layers(six_layers(), criterion.toStdString(), 1);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(needed), error.what());
        }
    }

    void update_norm_by_hand() {
        // Two channels, two tokens. Layer 1 adds (0, 3) to (4, 0) and nothing to (1, 1): 3/5 and 0. Layer 2 adds (0, 1) to both:
        // (4, 4) and (1, 2): 1/√32 and 1/√5.
        Statistics s;
        s.layers = 4;
        s.hidden = 2;
        s.sample = Array<float>({5, 2, 2}, {1, 0, 0, 1, 4, 0, 1, 1, 4, 3, 1, 1, 4, 4, 1, 2, 9, 9, 9, 9});
        s.sample_tokens = {0, 1};
        s.counted = {1, 1};
        const Ranking ranking = rank_layers(s, "update-norm", 1);
        QVERIFY(std::abs(ranking.scores.at(1) - 0.3) < 1e-7);
        QVERIFY(std::abs(ranking.scores.at(2) - (1 / std::sqrt(32.0) + 1 / std::sqrt(5.0)) / 2) < 1e-7);
        QCOMPARE(ranking.removed.layers(), std::vector<int>{1});
        s.counted = {1, 0};  // the second token is padding
        QVERIFY(std::abs(rank_layers(s, "update-norm", 1).scores.at(1) - 0.6) < 1e-7);
        QCOMPARE(rank_layers(s, "update-norm", 1).removed.layers(), std::vector<int>{2});
    }

    void protected_layers_stay() {
        const Statistics s = six_layers();
        SelectionInput input{.statistics = &s, .protection = {.layers = LayerSet({3})}};
        QCOMPARE(rank_layers(input, "cosine", 2).removed.layers(), (std::vector<int>{1, 2}));  // 2–3 would be best, 3–4 is gone too
        QCOMPARE(rank_layers(input, "block-influence", 2).removed.layers(), (std::vector<int>{1, 2}));
        input.protection = {.ends = 2};
        QCOMPARE(rank_layers(input, "cosine", 1).removed.layers(), std::vector<int>{3});
        QCOMPARE(rank_layers(input, "cosine", 2).removed.layers(), (std::vector<int>{2, 3}));
        input.protection = {.layers = LayerSet({2}), .ends = 2};
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "cosine", 2), Error);
        input.protection = {.layers = LayerSet({2, 4})};
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "angular", 2), Error);  // two may go, but not two in a row
        QCOMPARE(rank_layers(input, "block-influence", 2).removed.layers(), (std::vector<int>{1, 3}));
    }

    void the_massive_activation_is_found_without_a_bos() {
        // Token 1 of window 1 (place 4) grows from 2 to 900 in layer 2; token 0 of window 0 is merely large from the beginning.
        Statistics s = six_layers();
        s.window_begin = {0, 3, 6};
        s.token_l2 = Array<float>({7, 6}, 1.0f);
        for (int p = 0; p < 7; ++p) {
            s.token_l2.at(p, 0) = 50;
            s.token_l2.at(p, 4) = p < 3 ? 2 : 900;
        }
        QVERIFY(!massive_activation(s));
        s.extreme_tokens = {
            {.window = 1, .position = 1, .id = 17, .point = 3, .first_point = 3, .last_point = 6, .norm = 900, .median = 1}};
        const auto found = massive_activation(s);
        QVERIFY(found.has_value());
        QCOMPARE(found->layer, 2);
        QCOMPARE(found->norm_before, 2.0);
        QCOMPARE(found->norm_behind, 900.0);
        QCOMPARE(found->words(), std::string("layer 2 lifts token 1 of window 1 from an L2 norm of 2 to 900"));
        const SelectionInput input{.statistics = &s, .protection = {.massive_activation = true}};
        QCOMPARE(rank_layers(input, "cosine", 2).removed.layers(), (std::vector<int>{3, 4}));  // 2–3 has the higher cosine
    }
};

SUTURE_SUITE(TestCriteria)
#include "test_criteria.moc"
