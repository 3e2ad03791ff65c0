// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <cmath>

#include "core/base/error.h"
#include "core/evaluation/evaluation.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/windows.h"

using namespace suture;

namespace {

using test::windows_of;

std::shared_ptr<const Model> tiny() { return Model::open(test::data("archs/llama")); }

const Windows two = windows_of({{5, 9, 14, 22, 31}, {40, 41, 42}});

Variant scaled(int before, double factor, const LayerSet& removed = {}) {
    return Variant(removed).with_map(before,
                                     std::make_shared<const StreamMap>(StreamMap{.kind = "scalar", .scale = Array<double>({1}, factor)}));
}

}  // namespace

class TestEvaluation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void together_equals_one_by_one() {
        // Variants that share prefixes, branch at different depths, or are equal.
        const std::vector<Variant> variants{
            {}, Variant(LayerSet({1, 2})), scaled(3, 1.3, LayerSet({1, 2})), Variant(LayerSet({4})), scaled(5, 1.0), {}};
        Progress progress;
        const auto together = evaluate(tiny(), variants, two, {}, 0, progress);
        for (std::size_t i = 0; i < variants.size(); ++i) {
            const auto alone = evaluate(tiny(), std::span(variants).subspan(i, 1), two, {}, 0, progress)[0];
            for (std::size_t w = 0; w < 2; ++w) QCOMPARE(together[i].windows[w].nll_sum, alone.windows[w].nll_sum);
        }
        QCOMPARE(together[0].nll_sum(), together[5].nll_sum());
        QVERIFY(std::abs(together[4].nll_sum() - together[0].nll_sum()) < 1e-4);  // a factor of 1 changes nothing
        QVERIFY(together[1].nll_sum() != together[2].nll_sum());
    }

    void shared_layers_run_once() {
        // Dense: 5 passes. Without 3 and with 3 but without 4: they share 0 1 2 with it.
        const std::vector<Variant> variants{{}, Variant(LayerSet({3})), Variant(LayerSet({4}))};
        std::int64_t steps = 0;
        Progress progress({}, [&](const ProgressReport& report) { steps += report.done >= 0 ? 1 : 0; });
        evaluate(tiny(), variants, windows_of({{5, 6, 7, 8}}), {}, 0, progress);
        QCOMPARE(steps, std::int64_t(1 + 6));  // begin, then layers 0 1 2 3 4 of the dense model and 4 of the first cut
    }

    void tokens_and_left_out_targets() {
        Windows windows = two;
        Progress progress;
        const auto all = evaluate(tiny(), std::vector<Variant>(1), windows, {}, 0, progress)[0];
        QCOMPARE(all.windows[0].tokens, std::int64_t(4));
        QCOMPARE(all.windows[1].tokens, std::int64_t(2));
        QVERIFY(std::abs(all.perplexity() - std::exp(all.nll_sum() / 6)) < 1e-9);
        windows.counted[0][1] = windows.counted[0][4] = false;
        const auto part = evaluate(tiny(), std::vector<Variant>(1), windows, {}, 0, progress)[0];
        QCOMPARE(part.windows[0].tokens, std::int64_t(2));
        QVERIFY(part.nll_sum() < all.nll_sum());
    }

    void a_window_of_one_token_is_refused() {
        Progress progress;
        QVERIFY_EXCEPTION_THROWN(evaluate(tiny(), std::vector<Variant>(1), windows_of({{5}}), {}, 0, progress), Error);
    }

    void survives_the_store_and_speaks_json() {
        Progress progress;
        const auto e = evaluate(tiny(), std::vector<Variant>(1), two, {}, 2, progress)[0];
        const auto back = Evaluation::from_artefact(e.to_artefact());
        QCOMPARE(back.to_json(), e.to_json());
        const auto json = e.to_json();
        QCOMPARE(json["windows"][1]["logits"].size(), std::size_t(2));
        QCOMPARE(json["windows"][1]["logits"][0].size(), std::size_t(96));
        for (const char* key : {"model", "text", "seqlen", "stride", "bos", "dtype"}) QVERIFY2(json["conditions"].contains(key), key);
        QVERIFY(!json.contains("interval"));  // two windows are too few
    }

    void keys_follow_what_is_scored() {
        const auto model = tiny();
        const Key key = evaluation_key(*model, {}, two, {}, 0);
        QVERIFY(evaluation_key(*model, Variant(LayerSet({1})), two, {}, 0) != key);
        QVERIFY(evaluation_key(*model, scaled(1, 2), two, {}, 0) != evaluation_key(*model, scaled(1, 3), two, {}, 0));
    }
};

SUTURE_SUITE(TestEvaluation)
#include "test_evaluation.moc"
