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
        QVERIFY(criteria().size() >= 4);
        for (const Criterion* c : criteria()) {
            QVERIFY(!c->name.empty() && !c->label.empty() && c->help.ends_with("."));
            QCOMPARE(rank_layers(six_layers(), c->name, 1).removed.size(), 1);
        }
        QVERIFY_EXCEPTION_THROWN(criterion_named("magic"), Error);
    }
};

SUTURE_SUITE(TestCriteria)
#include "test_criteria.moc"
