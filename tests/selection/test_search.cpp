// SPDX-License-Identifier: GPL-3.0-or-later
// The search against brute force, its counts by hand, and what a cancelled one leaves.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/selection/search.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;
using test::nll;
using test::text;
using test::Toy;

namespace {

/// Every set of n out of `layers` with the NLL of the model without it.
std::map<std::vector<int>, double> all_sets(const std::shared_ptr<const Model>& model, const std::vector<int>& layers, int n) {
    std::map<std::vector<int>, double> sets;
    for (unsigned bits = 0; bits < 1u << layers.size(); ++bits) {
        std::vector<int> set;
        for (std::size_t i = 0; i < layers.size(); ++i)
            if (bits >> i & 1) set.push_back(layers[i]);
        if (int(set.size()) == n) sets[set] = nll(model, Variant(LayerSet(set)));
    }
    return sets;
}

std::pair<std::vector<int>, double> lowest(const std::map<std::vector<int>, double>& sets) {
    return *std::min_element(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
}

const SearchSettings exact{.screen = 1, .exchange = 0};

}  // namespace

class TestSearch : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;
    std::shared_ptr<const Model> model_;

    /// Of four windows the last is held out.
    static std::pair<Windows, Windows> by_hand(const Windows& four) {
        Windows fit = four, held_out = four;
        fit.ids.pop_back();
        fit.counted.pop_back();
        held_out.ids = {four.ids[3]};
        held_out.counted = {four.counted[3]};
        return {fit, held_out};
    }
    double nll_on(const Windows& windows, const Variant& variant) const {
        Progress progress;
        const auto e = evaluate(model_, std::vector<Variant>{variant}, windows, {}, 0, progress)[0];
        return e.nll_sum() / double(e.tokens());
    }

    SelectionInput input() const { return {.model = model_, .windows = &text}; }
    Budget layers(double n) const { return Budget::of(*model_, "layers", n); }

private Q_SLOTS:
    void initTestCase() { model_ = Toy(2).write(folder_.path() / "plain"); }

    void a_wide_beam_is_brute_force() {
        for (const int n : {1, 2, 3}) {
            const auto result = search(input(), layers(n), {.method = "beam", .beam = 100, .screen = 1, .exchange = 0});
            QVERIFY(result.complete && result.chosen);
            for (int size = 1; size <= n; ++size) {
                const auto [removed, value] = lowest(all_sets(model_, {1, 2, 3, 4}, size));
                QCOMPARE(result.best.at(size).removed.layers(), removed);
                QVERIFY(std::abs(result.best.at(size).nll() - value) < 1e-5);
            }
            QCOMPARE(result.chosen->removed, result.best.at(n).removed);
            QVERIFY(std::abs(result.best.at(0).nll() - nll(model_, Variant())) < 1e-5);
        }
    }

    void greedy_with_exchanges_finds_the_best_set() {
        // Over several models, so that greedy alone is led astray by some of them and the exchange is what finds the way back.
        int led_astray = 0;
        for (unsigned seed = 1; seed <= 8; ++seed) {
            model_ = Toy(seed).write(folder_.path() / ("seed" + std::to_string(seed)));
            const auto [removed, value] = lowest(all_sets(model_, {1, 2, 3, 4}, 2));
            const auto greedy = search(input(), layers(2), exact);
            if (greedy.chosen->removed.layers() != removed) ++led_astray;
            QVERIFY(greedy.chosen->nll() > value - 1e-6);
            const auto found = search(input(), layers(2), {.screen = 1, .exchange = 8});
            QCOMPARE(found.chosen->removed.layers(), removed);
            QVERIFY(std::abs(found.chosen->nll() - value) < 1e-5);
            QCOMPARE(LayerSet(found.chosen->order), found.chosen->removed);
        }
        QVERIFY2(led_astray > 0, "no model on which the exchange is needed");
        model_ = Toy(2).write(folder_.path() / "plain");
    }

    void blocks_are_all_tried() {
        const auto result = search(input(), layers(2), {.block = true, .screen = 1});
        const std::vector<std::vector<int>> blocks{{1, 2}, {2, 3}, {3, 4}};
        std::map<std::vector<int>, double> sets;
        for (const auto& block : blocks) sets[block] = nll(model_, Variant(LayerSet(block)));
        QCOMPARE(result.chosen->removed.layers(), lowest(sets).first);
        QCOMPARE(result.evaluations, std::int64_t(1 + 4 + 3));
    }

    void prefixes_are_run_once() {
        // Six layers, four windows. The dense model: 6 passes per window. Round 1: without layer l the 5 − l layers behind it.
        const auto one = search(input(), layers(1), exact);
        QCOMPARE(one.evaluations, std::int64_t(1 + 4));
        QCOMPARE(one.passes, std::int64_t(4 * (6 + 4 + 3 + 2 + 1)));
        QCOMPARE(one.passes_plain, std::int64_t(4 * (4 * 5)));  // four candidates of five kept layers on four windows
        // Round 2, after layer r went: the states behind r anew, then without l all kept layers behind l.
        const auto two = search(input(), layers(2), exact);
        const int r = two.best.at(1).removed.layers()[0];
        std::int64_t expected = one.passes + 4 * (5 - r);
        for (const int l : {1, 2, 3, 4})
            if (l != r) expected += 4 * (5 - l - (r > l ? 1 : 0));
        QCOMPARE(two.passes, expected);
        QCOMPARE(two.passes_plain, std::int64_t(4 * (4 * 5 + 3 * 4)));
        // Exchanges and screening are no part of the plain search.
        QCOMPARE(search(input(), layers(2), {.screen = 0.5, .exchange = 8}).passes_plain, two.passes_plain);
        QCOMPARE(search(input(), layers(2), {.block = true}).passes_plain, std::int64_t(4 * (4 * 5 + 3 * 4)));
    }

    void screening_saves_passes_and_keeps_the_choice() {
        const Windows longer = test::toy_windows(8, 24);
        SelectionInput in = input();
        in.windows = &longer;
        const auto full = search(in, layers(2), exact);
        const auto screened = search(in, layers(2), {.screen = 0.25, .exchange = 0});
        QVERIFY(screened.passes < full.passes);
        QCOMPARE(screened.evaluations, full.evaluations);
        QVERIFY(screened.chosen->nll() >= full.chosen->nll() - 1e-6);
        QCOMPARE(screened.chosen->windows.size(), std::size_t(8));  // what is reported was measured on all of them
    }

    void little_memory_keeps_fewer_states_and_the_same_numbers() {
        const auto free = search(input(), layers(2), exact);
        SelectionInput tight = input();
        tight.compute.memory = 0.01;
        const auto result = search(tight, layers(2), exact);
        QCOMPARE(result.chosen->removed, free.chosen->removed);
        QVERIFY(std::abs(result.chosen->nll() - free.chosen->nll()) < 1e-6);
        QVERIFY(result.passes > free.passes);
    }

    void the_repair_is_part_of_the_search() {
        Progress progress;
        const Statistics statistics = calibrate(model_, text, {}, {}, progress);
        SelectionInput in = input();
        in.statistics = &statistics;
        in.repair = "linearpatch";
        const auto result = search(in, layers(2), {.method = "beam", .beam = 100, .screen = 1, .exchange = 0, .no_seeds = true});
        const auto [fit, held_out] = by_hand(text);
        const Statistics seen = calibrate(model_, fit, {}, {}, progress);
        std::map<std::vector<int>, double> sets;
        for (const auto& [set, unpatched] : all_sets(model_, {1, 2, 3, 4}, 2))
            sets[set] = nll_on(held_out, fit_repair(model_, seen, fit, LayerSet(set), "linearpatch", {}, {}, progress).variant);
        const auto [removed, value] = lowest(sets);
        QCOMPARE(result.chosen->removed.layers(), removed);
        QVERIFY(std::abs(result.chosen->nll() - value) < 1e-5);
        QCOMPARE(result.chosen->windows.size(), std::size_t(1));
        QVERIFY(std::abs(result.best.at(0).nll() - nll_on(held_out, Variant())) < 1e-5);  // dense on the same windows
        Windows single = text;
        single.ids.resize(1);
        single.counted.resize(1);
        in.windows = &single;
        QVERIFY_EXCEPTION_THROWN(search(in, layers(2), exact), Error);
        in.windows = &text;
        in.statistics = nullptr;
        QVERIFY_EXCEPTION_THROWN(search(in, layers(2), exact), Error);
    }

    void settings_out_of_range_are_refused() {
        for (const SearchSettings& wrong : {SearchSettings{.screen = 0}, SearchSettings{.screen = 1.5}, SearchSettings{.beam = 0}})
            QVERIFY_EXCEPTION_THROWN(search(input(), layers(1), wrong), Error);
    }

    void a_repair_that_runs_the_model_is_fitted_too() {
        Progress progress;
        const Statistics statistics = calibrate(model_, text, {}, {}, progress);
        SelectionInput in = input();
        in.statistics = &statistics;
        in.repair = "ridge";
        const auto result = search(in, layers(1), exact);
        const auto [fit, held_out] = by_hand(text);
        const Statistics seen = calibrate(model_, fit, {}, {}, progress);
        std::map<std::vector<int>, double> sets;
        for (const int l : {1, 2, 3, 4})
            sets[{l}] = nll_on(held_out, fit_repair(model_, seen, fit, LayerSet({l}), "ridge", {}, {}, progress).variant);
        QCOMPARE(result.chosen->removed.layers(), lowest(sets).first);
        QVERIFY(std::abs(result.chosen->nll() - lowest(sets).second) < 1e-4);
    }

    void never_worse_than_an_instant_criterion() {
        Progress progress;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            model_ = Toy(seed).write(folder_.path() / ("seed" + std::to_string(seed)));
            const Statistics statistics = calibrate(model_, text, {}, {}, progress);
            SelectionInput in = input();
            in.statistics = &statistics;
            const auto result = search(in, layers(3), exact);
            for (int n = 2; n <= 3; ++n)
                for (const Criterion* c : criteria())
                    QVERIFY(result.best.at(n).nll() <= nll(model_, Variant(rank_layers(statistics, c->name, n).removed)) + 1e-5);
        }
        model_ = Toy(2).write(folder_.path() / "plain");
    }

    void budgets() {
        const double each = double(model_->layer_parameters(2));
        // 16·16 + 2·8·16 + 16·16 + 3·24·16 + 2·16
        QCOMPARE(each, 256.0 + 256 + 256 + 1152 + 32);
        QCOMPARE(Budget::of(*model_, "bytes", 1).cost, std::vector<double>(6, 4 * each));
        QCOMPARE(Budget::of(*model_, "milliseconds", 1, {12}).cost, std::vector<double>(6, 2.0));
        const auto parameters = search(input(), Budget::of(*model_, "parameters", 1.5 * each), exact);
        QCOMPARE(parameters.chosen->removed, search(input(), layers(2), exact).chosen->removed);
        QCOMPARE(parameters.chosen->cost, 2 * each);
        // Layer 3 alone is worth the whole budget in time, all others a tenth of it each.
        const auto slow = search(input(), Budget::of(*model_, "milliseconds", 10, {1, 1, 1, 10, 1, 1}), {.screen = 1, .exchange = 8});
        QVERIFY(slow.chosen->removed.contains(3));
        for (const auto& [unit, amount] : std::vector<std::pair<std::string, double>>{{"hours", 1}, {"layers", 0}, {"layers", 7}})
            QVERIFY_EXCEPTION_THROWN(Budget::of(*model_, unit, amount), Error);
        QVERIFY_EXCEPTION_THROWN(Budget::of(*model_, "milliseconds", 1), Error);
        QVERIFY_EXCEPTION_THROWN(search(input(), layers(5), exact), Error);  // four may go
    }

    void protected_layers_stay() {
        SelectionInput in = input();
        in.protection.layers = LayerSet({1, 3});
        const auto result = search(in, layers(2), exact);
        QCOMPARE(result.chosen->removed.layers(), (std::vector<int>{2, 4}));
        in.protection = {.ends = 0};
        const auto free = search(in, layers(1), exact);
        QCOMPARE(free.evaluations, std::int64_t(1 + 6));
        QCOMPARE(free.chosen->removed.layers(), lowest(all_sets(model_, {0, 1, 2, 3, 4, 5}, 1)).first);
    }

    void improvements_are_told_as_they_come() {
        std::vector<std::pair<int, double>> told;
        const auto result = search(input(), layers(3), exact, [&](const SearchResult& now) {
            const auto& [size, set] = *now.best.rbegin();
            told.push_back({size, set.nll()});
        });
        QCOMPARE(told.size(), std::size_t(4));
        for (std::size_t i = 0; i < told.size(); ++i) QCOMPARE(told[i], std::pair(int(i), result.best.at(int(i)).nll()));
    }

    void a_cancelled_search_keeps_what_it_found() {
        std::stop_source stop;
        Progress progress(stop.get_token());
        SelectionInput in = input();
        in.progress = &progress;
        const auto whole = search(input(), layers(3), exact);
        const auto result = search(in, layers(3), exact, [&](const SearchResult& now) {
            if (now.best.contains(2)) stop.request_stop();
        });
        QVERIFY(!result.complete);
        QVERIFY(!result.chosen);  // none of three was reached
        QCOMPARE(result.best.size(), std::size_t(3));
        for (int size = 0; size <= 2; ++size) QCOMPARE(result.best.at(size).removed, whole.best.at(size).removed);
        const auto json = result.to_json();  // the furthest it came
        QCOMPARE(json["removed"].get<std::vector<int>>(), result.best.at(2).removed.layers());
        QVERIFY(json["cost"] == 2 && json["order"].size() == 2);
        QVERIFY(result.passes > 0 && result.passes < whole.passes);
        QVERIFY(!search(in, layers(1), exact).complete);  // stopped before it began
    }

    void speaks_json() {
        const auto json = search(input(), layers(2), exact).to_json();
        for (const char* key : {"removed", "order", "nll", "passes", "passes_plain", "complete", "best", "parameters"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["best"]["2"]["removed"], json["removed"]);
        QCOMPARE(json["parameters"]["budget"]["amount"].get<double>(), 2.0);
    }
};

SUTURE_SUITE(TestSearch)
#include "test_search.moc"
