// SPDX-License-Identifier: GPL-3.0-or-later
// Criteria that read weights, run changed models or go backwards, on a toy whose answers are known.
#include "core/calibration/calibrate.h"
#include "core/selection/criterion.h"
#include "core/selection/internal/merge.h"

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;
using test::nll;
using test::text;
using test::Toy;

namespace {

/// Text that the model itself would write, so that it has no better version of itself to become: each token is its likeliest.
Windows written_by(const std::shared_ptr<const Model>& model) {
    Windows windows = test::toy_windows(3, 2);
    Progress progress;
    for (std::size_t tokens = 3; tokens <= 16; ++tokens) {
        const auto logits = evaluate(model, std::vector<Variant>(1), windows, {}, std::int64_t(tokens) - 1, progress)[0].logits;
        for (std::size_t w = 0; w < windows.ids.size(); ++w) {
            const auto last = logits.row(w, tokens - 2);
            windows.ids[w].push_back(std::max_element(last.begin(), last.end()) - last.begin());
            windows.counted[w].push_back(true);
        }
    }
    return windows;
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class TestCostlyCriteria : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;

    SelectionInput input_of(const std::shared_ptr<const Model>& model) const {
        SelectionInput input{.model = model, .windows = &text};
        input.settings.no_plus = true;
        return input;
    }
    Statistics statistics_of(const std::shared_ptr<const Model>& model, const Windows& windows) const {
        Progress progress;
        return calibrate(model, windows, {}, {}, progress);
    }

private Q_SLOTS:
    void a_layer_that_does_nothing_goes_first_data() {
        QTest::addColumn<QString>("criterion");
        for (const Criterion* c : every_criterion())
            if (c->name != "laco") QTest::newRow(c->name.c_str()) << QString::fromStdString(c->name);  // it merges, it does not pick
    }
    void a_layer_that_does_nothing_goes_first() {
        QFETCH(QString, criterion);
        for (const int silent : {1, 3, 4}) {
            const auto model = Toy().silence(silent).write(folder_.path() / ("silent" + std::to_string(silent)));
            const Windows own = written_by(model);
            const Statistics statistics = statistics_of(model, own);
            SelectionInput input = input_of(model);
            input.windows = &own;
            input.statistics = &statistics;
            input.repair = "linearpatch";
            const Ranking ranking = rank_layers(input, criterion.toStdString(), 1);
            QCOMPARE(ranking.removed.layers(), std::vector<int>{silent});
        }
    }

    void sleb_and_ppl_by_evaluation() {
        const auto model = Toy().write(folder_.path() / "plain");
        std::map<int, double> alone;
        for (int l = 0; l < Toy::layers; ++l) alone[l] = nll(model, Variant(LayerSet({l})));
        const Ranking ppl = rank_layers(input_of(model), "ppl", 2);
        for (const auto& [layer, value] : alone) QVERIFY(near(std::log(ppl.scores.at(layer)), value, 1e-5));
        std::vector<int> inner{1, 2, 3, 4};
        std::sort(inner.begin(), inner.end(), [&](int a, int b) { return alone[a] < alone[b]; });
        QCOMPARE(ppl.removed, LayerSet({inner[0], inner[1]}));

        const Ranking sleb = rank_layers(input_of(model), "sleb", 2);
        QCOMPARE(sleb.order.front(), inner[0]);
        int second = -1;
        double lowest = 1e9;
        for (const int l : {1, 2, 3, 4}) {
            if (l == inner[0]) continue;
            const double both = nll(model, Variant(LayerSet({inner[0], l})));
            QVERIFY(near(sleb.scores.at(l), both, 1e-5));
            if (both < lowest) {
                lowest = both;
                second = l;
            }
        }
        QCOMPARE(sleb.order, (std::vector<int>{inner[0], second}));
        QVERIFY(near(sleb.scores.at(inner[0]), alone[inner[0]], 1e-5));
        QVERIFY(!sleb.scores.contains(0) && !sleb.scores.contains(5));
    }

    void the_plus_rule() {
        const auto model = Toy().write(folder_.path() / "plain");
        SelectionInput input = input_of(model);
        input.settings.no_plus = false;
        for (const char* criterion : {"ppl", "taylor", "magnitude"}) try {  // of six layers 0–3 and 4–5 stay
                rank_layers(input, criterion, 1);
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains("--no-plus"), error.what());
            }
        const auto longer = Model::open(test::data("models/stories260K-hf"));  // five layers: none is left either
        QVERIFY_EXCEPTION_THROWN(rank_layers({.model = longer}, "magnitude", 1), Error);
    }

    void magnitude_by_hand() {
        Toy toy(3);
        const auto model = toy.write(folder_.path() / "magnitude");
        const Ranking ranking = rank_layers(input_of(model), "magnitude", 1);
        int smallest = -1;
        double lowest = 1e9;
        for (int l = 0; l < Toy::layers; ++l) {
            double sum = 0;
            for (const auto& [name, tensor] : toy.tensors)
                if (name.starts_with("model.layers." + std::to_string(l) + "."))
                    for (const float value : tensor.values) sum += std::abs(double(value));
            QVERIFY(near(ranking.scores.at(l), sum, 1e-4));
            if (l > 0 && l < 5 && sum < lowest) {
                lowest = sum;
                smallest = l;
            }
        }
        QCOMPARE(ranking.removed.layers(), std::vector<int>{smallest});
    }

    void laco_merges_by_the_formula() {
        Toy toy;
        const auto model = toy.write(folder_.path() / "plain");
        const Variant variant = merged(*model, Variant(), 1, {2, 3});
        QCOMPARE(variant.removed().layers(), (std::vector<int>{2, 3}));
        const LayerEdit& edit = *variant.edits().at(1);
        QCOMPARE(edit.tensors.size(), std::size_t(7));  // q, k, v, o, gate, up, down; no norm
        for (const auto& [name, array] : edit.tensors) {
            const std::string module = name.substr(0, name.size() - std::string(".weight").size());
            for (std::size_t i = 0; i < array.data.size(); ++i) {
                const float base = toy.at(1, module).values[i], second = toy.at(2, module).values[i], third = toy.at(3, module).values[i];
                QVERIFY(near(array.data[i], second + third - base, 1e-6));  // θ1 + (θ2 − θ1) + (θ3 − θ1), not θ3
            }
        }
        const Variant again = merged(*model, variant, 0, {1});  // what was merged before counts as it is now
        QCOMPARE(again.removed().layers(), (std::vector<int>{1, 2, 3}));
        QCOMPARE(again.edits().size(), std::size_t(1));
        const auto& down = again.edits().at(0)->tensors.at("mlp.down_proj.weight");
        for (std::size_t i = 0; i < down.data.size(); ++i)
            QVERIFY(near(down.data[i], edit.tensors.at("mlp.down_proj.weight").data[i], 1e-6));
    }

    void laco_walks_from_the_output() {
        const auto model = Toy().write(folder_.path() / "plain");
        SelectionInput input = input_of(model);
        input.settings.laco_threshold = -1.5;  // every merge is accepted
        // Groups of at most 3: at 3 only layer 4 may join, as 5 is the last one; then 3 joins 2.
        const Ranking two = rank_layers(input, "laco", 2);
        QCOMPARE(two.removed.layers(), (std::vector<int>{3, 4}));
        QCOMPARE(two.merged->removed(), two.removed);
        QCOMPARE(two.scores.size(), std::size_t(2));
        QVERIFY(two.scores.contains(3) && two.scores.contains(2));
        QVERIFY(two.merged->edits().contains(2) && !two.merged->edits().contains(3));
        input.protection.ends = 0;  // now 4 and 5 both join 3
        const Ranking both = rank_layers(input, "laco", 2);
        QCOMPARE(both.removed.layers(), (std::vector<int>{4, 5}));
        QCOMPARE(both.parameters["threshold_used"].get<double>(), -1.5);
        QCOMPARE(both.parameters["merges"], nlohmann::json::parse("[{\"layer\": 3, \"takes_up\": [4, 5]}]"));
    }

    void laco_leaves_protected_layers_as_they_are() {
        const auto model = Toy().write(folder_.path() / "plain");
        SelectionInput input = input_of(model);
        input.settings.laco_threshold = -1.5;
        input.protection.layers = LayerSet({2});
        const Ranking ranking = rank_layers(input, "laco", 1);  // 2 would have taken up 3; now 3 takes up 4
        QCOMPARE(ranking.removed.layers(), std::vector<int>{4});
        QVERIFY(ranking.merged->edits().contains(3) && !ranking.merged->edits().contains(2));
        input.protection.layers = LayerSet({3});  // 3 neither goes nor changes, so only 1 can take up 2
        const Ranking other = rank_layers(input, "laco", 1);
        QCOMPARE(other.removed.layers(), std::vector<int>{2});
        QVERIFY(other.merged->edits().contains(1) && other.merged->edits().size() == 1);
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "laco", 2), Error);
        input.settings.laco_group = 1;
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "laco", 1), Error);
        input.settings.laco_group = 7;
        input.settings.laco_interval = 0;
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "laco", 1), Error);
    }

    void laco_keeps_to_its_threshold() {
        // Layers 3 and 4 do the same as nothing when merged: 4 is silent and so is 3, so their merge changes the model by layer 3 only.
        Toy toy;
        toy.silence(3).silence(4);
        const auto model = toy.write(folder_.path() / "two-silent");
        SelectionInput input = input_of(model);
        input.settings.laco_threshold = 0.999999;
        const Ranking ranking = rank_layers(input, "laco", 1);
        QCOMPARE(ranking.removed.layers(), std::vector<int>{4});
        QVERIFY(near(ranking.scores.at(3), 1, 1e-6));
        QVERIFY(near(ranking.parameters["threshold_used"].get<double>(), 0.999999, 1e-12));
        QVERIFY(near(nll(model, *ranking.merged), nll(model, Variant()), 1e-5));
        // A threshold nothing can pass is lowered until a merge does.
        input.settings.laco_threshold = 1.05;
        const Ranking lowered = rank_layers(input, "laco", 1);
        QVERIFY(near(lowered.parameters["threshold_used"].get<double>(), 0.95, 1e-9));
    }

    void free_ends_are_scored_too() {
        const auto model = Toy().silence(0).write(folder_.path() / "silent0");
        const Statistics s = statistics_of(model, text);
        SelectionInput input{.statistics = &s, .model = model};
        QCOMPARE(rank_layers(input, "cosine", 2).scores.size(), std::size_t(3));  // starts 1, 2, 3
        input.protection.ends = 0;
        const Ranking one = rank_layers(input, "cosine", 1);
        QCOMPARE(one.scores.size(), std::size_t(6));  // 0 … 5
        QCOMPARE(one.removed.layers(), std::vector<int>{0});
        QCOMPARE(rank_layers(input, "angular", 5).scores.size(), std::size_t(2));  // 0-4 and 1-5
        try {
            rank_layers(input, "cosine", 6);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("1 to 5 can go"), error.what());
        }
    }

    void without_a_sample_there_is_one_sentence() {
        const auto model = Toy().write(folder_.path() / "plain");
        Progress progress;
        const Statistics s = calibrate(model, text, {.sample = 0}, {}, progress);
        QVERIFY(s.sample.empty());
        QVERIFY(Statistics::from_artefact(s.to_artefact()).sample.empty() && !s.to_artefact().floats.contains("sample"));
        for (const char* criterion : {"patched"}) try {
                rank_layers({.statistics = &s, .model = model, .repair = "linearpatch"}, criterion, 1);
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains("--sample above 0"), error.what());
            }
        QVERIFY(!rank_layers({.statistics = &s}, "cosine", 1).removed.empty());
    }

    void patched_by_hand() {
        const auto model = Toy().write(folder_.path() / "plain");
        const Statistics s = statistics_of(model, text);
        SelectionInput input{.statistics = &s, .model = model, .repair = "scalar"};
        const Ranking ranking = rank_layers(input, "patched", 2);
        int best = -1;
        for (int start = 1; start <= 3; ++start) {
            const double c = s.mean_l2(start + 2) / s.mean_l2(start);
            std::vector<double> errors;
            for (std::int64_t t = 0; t < s.sample.size(1); ++t) {
                double after = 0, before = 0;
                for (std::int64_t k = 0; k < s.hidden; ++k) {
                    const double x = s.sample.at(start, t, k), y = s.sample.at(start + 2, t, k);
                    after += (c * x - y) * (c * x - y);
                    before += (x - y) * (x - y);
                }
                errors.push_back(std::sqrt(after / before));
            }
            std::sort(errors.begin(), errors.end());
            QVERIFY(near(ranking.scores.at(start), errors[(errors.size() - 1) / 2], 1e-4));
            if (best < 0 || ranking.scores.at(start) < ranking.scores.at(best)) best = start;
        }
        QCOMPARE(ranking.removed.layers(), (std::vector<int>{best, best + 1}));
        input.repair = "none";
        QVERIFY_EXCEPTION_THROWN(rank_layers(input, "patched", 2), Error);
    }

    void patched_least_squares_is_judged_on_other_tokens() {
        // x_3 = 2·x_2 with channels swapped, exactly; x_2 has nothing to do with x_1. 24 sampled tokens, 4 channels.
        Statistics s;
        s.layers = 4;
        s.hidden = 4;
        const std::int64_t tokens = 24;
        s.sample = Array<float>({5, tokens, 4});
        std::mt19937 random(5);
        for (std::int64_t p = 0; p < 5; ++p)
            for (std::int64_t t = 0; t < tokens; ++t)
                for (std::int64_t c = 0; c < 4; ++c) s.sample.at(p, t, c) = float(random() % 2000) / 1000 - 1;
        for (std::int64_t t = 0; t < tokens; ++t) {
            s.sample_tokens.push_back(t);
            s.counted.push_back(1);
            for (std::int64_t c = 0; c < 4; ++c) s.sample.at(3, t, c) = 2 * s.sample.at(2, t, 3 - c);
        }
        const auto model = Toy().write(folder_.path() / "plain");
        SelectionInput input{.statistics = &s, .model = model, .repair = "ridge"};
        input.repair_settings.ridge = 1e-9;
        const Ranking ranking = rank_layers(input, "patched", 1);
        QCOMPARE(ranking.removed.layers(), std::vector<int>{2});
        QVERIFY2(ranking.scores.at(2) < 1e-4, qPrintable(QString::number(ranking.scores.at(2))));
        QVERIFY2(ranking.scores.at(1) > 0.5, qPrintable(QString::number(ranking.scores.at(1))));
    }
};

SUTURE_SUITE(TestCostlyCriteria)
#include "test_costly_criteria.moc"
