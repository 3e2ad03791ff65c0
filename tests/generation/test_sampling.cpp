// SPDX-License-Identifier: GPL-3.0-or-later
// Filters and draws: by hand, against transformers' warpers, and by counting.
#include <QtTest/QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/generation/sampling.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

/// Logits of given probabilities.
std::vector<float> logits_of(const std::vector<double>& probabilities) {
    std::vector<float> logits;
    for (const double p : probabilities) logits.push_back(float(std::log(p)));
    return logits;
}

bool near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance = 1e-6) {
    if (found.size() != expected.size()) return false;
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(found[i] - expected[i]) <= tolerance)) return false;
    return true;
}

GenerationSettings drawing(double temperature, std::int64_t top_k = 0, double top_p = 1) {
    return {.temperature = temperature, .top_k = top_k, .top_p = top_p};
}

const auto toy = logits_of({0.1, 0.4, 0.2, 0.3});

}  // namespace

class TestSampling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void by_hand() {
        QVERIFY(near(token_probabilities(toy, drawing(1)), {0.1, 0.4, 0.2, 0.3}));
        // p^(1/T): T = 0.5 squares: 1, 16, 4, 9 of 30.
        QVERIFY(near(token_probabilities(toy, drawing(0.5)), {1 / 30.0, 16 / 30.0, 4 / 30.0, 9 / 30.0}));
        QVERIFY(near(token_probabilities(toy, drawing(1, 2)), {0, 0.4 / 0.7, 0, 0.3 / 0.7}));
        // 0.4 does not reach 0.5, 0.4 + 0.3 does.
        QVERIFY(near(token_probabilities(toy, drawing(1, 0, 0.5)), {0, 0.4 / 0.7, 0, 0.3 / 0.7}));
        QVERIFY(near(token_probabilities(toy, drawing(1, 0, 0.01)), {0, 1, 0, 0}));
        // Top-k first: of 4/9, 3/9, 2/9 the first two reach 0.75, of 0.4, 0.3, 0.2, 0.1 it would take three.
        QVERIFY(near(token_probabilities(toy, drawing(1, 3, 0.75)), {0, 0.4 / 0.7, 0, 0.3 / 0.7}));
        QVERIFY(near(token_probabilities(toy, drawing(1, 0, 0.75)), {0, 0.4 / 0.9, 0.2 / 0.9, 0.3 / 0.9}));
        // Temperature first: 16/30 alone reaches 0.5.
        QVERIFY(near(token_probabilities(toy, drawing(0.5, 0, 0.5)), {0, 1, 0, 0}));
        const std::vector<float> equal{1, 1, 1, 0};
        QVERIFY(near(token_probabilities(equal, drawing(1, 1)), {1 / 3.0, 1 / 3.0, 1 / 3.0, 0}));  // ties with the k-th stay
        QVERIFY(near(token_probabilities(equal, drawing(1, 0, 0.2)), {1, 0, 0, 0}));               // of equal ones the first
        QVERIFY(near(token_probabilities(equal, drawing(1, 9)), token_probabilities(equal, drawing(1))));
    }

    void equals_transformers() {
        const auto reference = test::read_json(test::data("generation/reference.json"));
        const auto logits = reference["logits"].get<std::vector<float>>();
        for (const auto& row : reference["filters"])
            QVERIFY(near(token_probabilities(logits, drawing(row["temperature"], row["top_k"], row["top_p"])), row["probabilities"]));
    }

    void greedy_takes_the_first_of_the_largest() {
        Sampler sampler({});
        QCOMPARE(sampler.next(std::vector<float>{0, 2, -1, 2}), std::int64_t(1));
        QCOMPARE(sampler.next(toy), std::int64_t(1));
    }

    void draws_follow_the_probabilities() {
        constexpr int draws = 20000;
        for (const auto& settings : {drawing(1), drawing(1, 2), drawing(0.5)}) {
            const auto p = token_probabilities(toy, settings);
            std::vector<int> counts(p.size());
            Sampler sampler(settings);
            for (int i = 0; i < draws; ++i) ++counts[std::size_t(sampler.next(toy))];
            for (std::size_t i = 0; i < p.size(); ++i)  // five standard deviations of the binomial distribution
                QVERIFY(std::abs(counts[i] - draws * p[i]) <= 5 * std::sqrt(draws * p[i] * (1 - p[i])));
        }
    }

    void a_seed_repeats() {
        GenerationSettings settings = drawing(1);
        const auto draw = [&](std::int64_t seed) {
            settings.seed = seed;
            Sampler sampler(settings);
            std::vector<std::int64_t> ids;
            for (int i = 0; i < 50; ++i) ids.push_back(sampler.next(toy));
            return ids;
        };
        QCOMPARE(draw(7), draw(7));
        QVERIFY(draw(7) != draw(8));
    }

    void refuses() {
        for (const GenerationSettings& wrong : {GenerationSettings{.max_tokens = 0}, drawing(-1), drawing(1, -1), drawing(1, 0, 0),
                                                drawing(1, 0, 1.5), drawing(std::nan(""))})
            QVERIFY_EXCEPTION_THROWN(check(wrong), Error);
        check(drawing(0.7, 50, 0.95));
    }
};

SUTURE_SUITE(TestSampling)
#include "test_sampling.moc"
