// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs that are no scale and no matrix, the recommendation, and the curves of fine-tuning.
#include "core/figures/channels.h"
#include "core/figures/finetune.h"
#include "core/figures/patch.h"
#include "core/figures/recommendation.h"
#include "core/figures/tokens.h"
#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

Patch edited_patch() {
    Patch patch;
    patch.seam = {1, 2};
    patch.kind = "cascade";
    patch.edited = {0, 2, 3};
    patch.ridge = 0.01;
    patch.error_median = 0.5;
    return patch;
}

std::string value_of(const Table& table, const std::string& fact) {
    for (std::size_t r = 0; r < table.rows.size(); ++r)
        if (table.text(r, 0) == fact) return table.text(r, 1);
    return "no row " + fact;
}

Evaluation evaluation_of(double nll_per_token) {
    Evaluation evaluation;
    evaluation.windows = {{.nll_sum = 10 * nll_per_token, .tokens = 10}};
    return evaluation;
}

/// No repair 1, LinearPatch 0.9, least squares kept 2 and left out 0.8 (recommended), fold refused.
Recommendation small_recommendation() {
    Recommendation r;
    r.trials = {{.kind = "none", .held_out = evaluation_of(1)},
                {.kind = "linearpatch", .held_out = evaluation_of(1), .to_none = 0.9, .to_none_interval = Interval{0.85, 0.95}},
                {.kind = "ridge", .held_out = evaluation_of(1), .to_none = 2, .to_none_interval = Interval{1.5, 3}},
                {.kind = "ridge", .massive = "mask", .held_out = evaluation_of(1), .to_none = 0.8, .to_none_interval = Interval{0.7, 0.9}},
                {.kind = "fold", .refusal = "the fold does not fit"}};
    r.best = 3;
    r.held_out_tokens = 4096;
    return r;
}

Distilled small_run() {
    Distilled run;
    run.curve = {{.step = 0, .training = std::numeric_limits<double>::quiet_NaN(), .validation = 0.5},
                 {.step = 10, .tokens = 5120, .seconds = 2, .learning_rate = 1e-3, .training = 0.6, .validation = 0.25},
                 {.step = 20, .tokens = 10240, .seconds = 4, .training = 0.4, .validation = 0.375}};
    run.best = 1;
    run.ended = "all windows seen";
    run.parameters = 16384;
    return run;
}

}  // namespace

class RepairFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void changed_layers_have_no_matrix() {
        const Patch patch = edited_patch();
        for (const Figure& figure : {patch_matrix(&patch, nullptr, false), patch_scale(&patch)}) {
            QVERIFY(!figure.map && figure.series.empty());
            QVERIFY2(contains(figure.empty, "down projections of layers 0 and 2–3"), figure.empty.c_str());
        }
        const Table facts = patch_facts(&patch, {{"ridge", "searched"}});
        QCOMPARE(value_of(facts, "changed down projections"), std::string("layers 0 and 2–3"));
        QCOMPARE(value_of(facts, "ridge λ"), std::string("0.0100, found on held-out windows"));
        QCOMPARE(value_of(facts, "relative error, median token"), std::string("0.5000"));
        QCOMPARE(value_of(facts, "trace of P"), std::string("no row trace of P"));
    }

    void changed_layers_have_no_patched_curve() {
        const Statistics statistics = small_statistics();
        const Patch patch = edited_patch();
        QVERIFY(patched_sample(statistics, patch).empty());
        const SeamView view{.statistics = &statistics, .seam = Seam{1, 2}, .patch = &patch};
        for (const Figure& figure : {channel_errors(view, {}), token_magnitudes(view, {}, {})}) {
            QVERIFY(series_named(figure, "patched").x.empty() && !figure.series.empty());
            QVERIFY2(contains(figure.caption, "no patched curve: Cascade changes layers 0 and 2–3"), figure.caption.c_str());
        }
    }

    void increment_of_the_normalised_stream_is_called_m() {
        const Patch patch = patch_of({.kind = "ridge-normalised", .matrix = Array<float>({2, 2}, {1, 9, 9, -2}), .norm_eps = 1e-5});
        const Figure matrix = patch_matrix(&patch, &patch.map->matrix, false);
        QVERIFY(contains(matrix.title, "M") && matrix.map->value_title == "entry of M");
        const Figure diagonal = patch_scale(&patch);
        QVERIFY(near(diagonal.series[0].y, {1, -2}));
        QCOMPARE(diagonal.guides.at(0).y, 0.0);
        QCOMPARE(diagonal.title, std::string("Diagonal of M"));
        QVERIFY(!scales_channels(patch, Basis::Raw) && !scales_channels(patch, Basis::Hadamard));
    }

    void low_rank_shows_the_diagonal_of_p() {
        // L·R = [3 4; 6 8], so P's diagonal is 4, 9.
        const Patch patch = patch_of({.kind = "low-rank", .left = Array<float>({2, 1}, {1, 2}), .right = Array<float>({1, 2}, {3, 4})});
        const Figure diagonal = patch_scale(&patch);
        QVERIFY(near(diagonal.series[0].y, {9, 4}));
        QVERIFY(contains(diagonal.caption, "rank 1"));
        QCOMPARE(value_of(patch_facts(&patch, nlohmann::json::object()), "rank"), std::string("1"));
        QVERIFY(!scales_channels(patch, Basis::Raw) && !scales_channels(patch, Basis::Hadamard));
    }

    void names_tell_where_a_repair_comes_from() {
        QCOMPARE(repair_words("linearpatch", nlohmann::json::object()), std::string("LinearPatch"));
        QCOMPARE(repair_words("linearpatch", {{"imported", "scales.pt"}, {"finetuned", nlohmann::json::object()}}),
                 std::string("LinearPatch, imported from scales.pt, fine-tuned"));
        const Patch patch = linear_patch({1, 2, 3, 4});
        QVERIFY(!contains(patch_facts(&patch, {{"finetuned", nlohmann::json::object()}}).to_csv(), "relative error"));
    }

    void ratios_stand_around_one() {
        QVERIFY(!repair_ratios(nullptr, false).empty.empty());
        const Recommendation found = small_recommendation();
        const Figure figure = repair_ratios(&found, false);
        QCOMPARE(figure.x.labels, (std::vector<std::string>{"LinearPatch", "Least squares, kept", "Least squares, left out"}));
        const Series best = series_named(figure, "recommended"), others = series_named(figure, "repaired");
        QVERIFY(near(best.x, {2}) && near(best.y, {0.8}) && near(best.low, {0.7}) && near(best.high, {0.9}));
        QVERIFY(near(others.x, {0, 1}) && near(others.y, {0.9, 2}) && near(others.high, {0.95, 3}));
        QCOMPARE(best.role, Role::Accent);
        QCOMPARE(figure.guides.at(0).y, 1.0);
        QVERIFY(contains(figure.caption, "4,096 held-out"));
        QVERIFY(!figure.y.log);
        const Figure stale = repair_ratios(&found, true);
        QVERIFY(stale.caption.starts_with("stale") && series_named(stale, "recommended").role == Role::Neutral);
    }

    void far_ratios_are_drawn_logarithmically() {
        Recommendation found = small_recommendation();
        found.trials[2].to_none = 50;
        QVERIFY(repair_ratios(&found, false).y.log);
    }

    void trials_as_a_table() {
        const Recommendation found = small_recommendation();
        const Table table = repair_trials(&found);
        QCOMPARE(table.rows.size(), std::size_t(5));
        QCOMPARE(table.text(3, 0) + "|" + table.text(3, 1) + "|" + table.text(3, 3) + "|" + table.text(3, 6),
                 std::string("Least squares|left out|0.8000|recommended"));
        QCOMPARE(table.text(4, 0) + "|" + table.text(4, 2) + "|" + table.text(4, 6),
                 std::string("Folded transform|–|the fold does not fit"));
        QCOMPARE(table.text(0, 2), std::string("2.718"));  // e
        QVERIFY(repair_trials(nullptr).rows.empty());
        QCOMPARE(trial_words(found.trials[3]), std::string("Least squares, massive tokens left out"));
    }

    void curves_mark_the_best() {
        QVERIFY(!finetuning_curves(nullptr, false, true).empty.empty());
        const Distilled run = small_run();
        const Figure figure = finetuning_curves(&run, false, true);
        QVERIFY(figure.x.log && near(series_named(figure, "validation").x, {10, 20}));
        QVERIFY(near(series_named(figure, "training").y, {0.6, 0.4}));
        QVERIFY(near(series_named(figure, "best").x, {10}) && near(series_named(figure, "best").y, {0.25}));
        QCOMPARE(figure.guides.at(0).y, 0.5);  // the start, which a logarithmic axis has no place for
        const Figure over_time = finetuning_curves(&run, true, false);
        QVERIFY(near(series_named(over_time, "validation").x, {0, 2, 4}) && near(series_named(over_time, "training").x, {2, 4}));
        Distilled begun = run;
        begun.curve.resize(1);
        begun.best = 0;
        QVERIFY(!finetuning_curves(&begun, false, true).empty.empty());
        QVERIFY(finetuning_curves(&begun, false, false).empty.empty());
    }

    void facts_of_a_run() {
        const Distilled run = small_run();
        const Table facts = finetuning_facts(&run);
        QCOMPARE(value_of(facts, "trained parameters"), std::string("16.4 k"));
        QCOMPARE(value_of(facts, "tokens trained on"), std::string("10,240"));
        QCOMPARE(value_of(facts, "change"), std::string("-50.0 %"));  // 0.25 of 0.5
        QCOMPARE(value_of(facts, "best step"), std::string("10"));
        QCOMPARE(value_of(facts, "ended"), std::string("all windows seen"));
        QVERIFY(finetuning_facts(nullptr).rows.empty());
        QCOMPARE(cost_words({.teacher = 25000000, .states = 110000000, .weights = 30000000, .working = 60000000, .parameters = 1340000}),
                 std::string("1.34 M parameters are trained; 25 MB of the dense model's answers on disk, about 0.20 GB in memory"));
    }
};

SUTURE_SUITE(RepairFigures)
#include "repairs_test.moc"
