// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/generation/speed.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

std::shared_ptr<const Model> stories() { return Model::open(test::data("models/stories260K-hf")); }

std::shared_ptr<const StreamMap> patch() {
    return std::make_shared<const StreamMap>(StreamMap{.kind = "linearpatch", .scale = Array<double>({64}, 1.0), .hadamard = true});
}

}  // namespace

class TestSpeed : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void quantiles() {
        const Timing odd{{3, 1, 2}}, even{{4, 1, 3, 2}}, one{{5}};
        QCOMPARE(odd.median(), 2.0);
        QCOMPARE(odd.quantile(0.25), 1.5);
        QCOMPARE(even.median(), 2.5);
        QCOMPARE(even.quantile(1), 4.0);
        QCOMPARE(one.quantile(0.75), 5.0);
    }

    void sizes() {
        const auto model = stories();
        // One layer: q and o 64·64, k and v 32·64, three matrices 172·64, two norms of 64; float32 in the file.
        const std::int64_t layer = 2 * 64 * 64 + 2 * 32 * 64 + 3 * 172 * 64 + 2 * 64;
        const auto dense = variant_size(*model, {});
        QCOMPARE(dense.parameters, 512 * 64 + 5 * layer + 64);
        QCOMPARE(dense.bytes, std::uint64_t(4 * dense.parameters));
        QCOMPARE(dense.kv_bytes_per_token, std::int64_t(5 * 2 * 4 * 8 * 2));  // layers, k and v, heads, head_dim, bytes
        const Variant cut(LayerSet({1, 3}));
        const auto size = variant_size(*model, cut.with_map(2, patch()));
        QCOMPARE(size.layers, 3);
        QCOMPARE(size.parameters, dense.parameters - 2 * layer + 64 * 64 + 64);  // P and d
        QCOMPARE(size.bytes, dense.bytes - std::uint64_t(4 * 2 * layer) + 4 * (64 * 64 + 64));
        QCOMPARE(size.kv_bytes_per_token, std::int64_t(3 * 2 * 4 * 8 * 2));
    }

    void ratios_of_medians() {
        SpeedComparison c;
        c.variants = {{{{4, 2, 6}}, {{8}}, {}}, {{{1, 2, 9}}, {{2}}, {}}};
        QCOMPARE(c.prefill_speedup(1), 2.0);
        QCOMPARE(c.decode_speedup(1), 4.0);
        const auto json = c.to_json();
        QCOMPARE(json["variants"][1]["prefill_speedup"], nlohmann::json(2.0));
        QCOMPARE(json["variants"][0]["prefill_seconds"]["low"], nlohmann::json(3.0));
    }

    void a_long_prompt_can_be_cancelled_inside() {
        std::stop_source stop;
        std::int64_t reports = 0, done = 0;
        Progress progress(stop.get_token(), [&](const ProgressReport& r) {
            done = r.done;
            if (++reports == 3) stop.request_stop();  // the stage began, and two layers of the first run
        });
        const std::vector<Variant> variants(1);
        const SpeedSettings settings{.prompt_tokens = 16, .decode_tokens = 1, .repeats = 1};
        QVERIFY_EXCEPTION_THROWN(measure_speed(stories(), variants, settings, {}, progress), Cancelled);
        QCOMPARE(done, std::int64_t(0));
    }

    void measures_all_in_turn() {
        const std::vector<Variant> variants{{}, Variant(LayerSet({1, 2}))};
        std::int64_t done = 0;
        Progress progress({}, [&](const ProgressReport& r) { done = r.done; });
        const auto found = measure_speed(stories(), variants, {.prompt_tokens = 16, .decode_tokens = 4, .repeats = 3}, {}, progress);
        QCOMPARE(done, std::int64_t(8));
        for (const auto& v : found.variants) {
            QCOMPARE(v.prefill.samples.size(), std::size_t(3));
            QCOMPARE(v.decode.samples.size(), std::size_t(3));
            QVERIFY(v.prefill.quantile(0) > 0 && v.decode.quantile(0) > 0);
        }
        QCOMPARE(found.prefill_speedup(0), 1.0);
        QVERIFY(found.conditions["weights_in_memory"].get<bool>());
    }

    void refuses_and_cancels() {
        Progress progress;
        const std::vector<Variant> dense(1);
        QVERIFY_EXCEPTION_THROWN(measure_speed(stories(), dense, {.repeats = 0}, {}, progress), Error);
        std::stop_source stop;
        stop.request_stop();
        Progress stopped(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(measure_speed(stories(), dense, {}, {}, stopped), Cancelled);
    }
};

SUTURE_SUITE(TestSpeed)
#include "test_speed.moc"
