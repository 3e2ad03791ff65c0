// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <set>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

std::shared_ptr<const Model> tiny() { return Model::open(test::data("archs/qwen3")); }

/// `count` windows of 16 tokens that do not repeat.
Windows some_windows(int count) {
    Windows windows;
    for (int w = 0; w < count; ++w) {
        std::vector<std::int64_t> ids;
        for (int t = 0; t < 16; ++t) ids.push_back(3 + (w * 29 + t * 7 + w * t) % 90);
        windows.ids.push_back(ids);
        windows.counted.emplace_back(ids.size(), true);
    }
    return windows;
}

double relative(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, test::relative_difference(a[i], b[i], 1e-6));
    return largest;
}

}  // namespace

class TestCalibration : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void groups_do_not_matter() {
        const auto model = tiny();
        const Windows windows = some_windows(6);
        ComputeSettings narrow;
        narrow.memory = 0.001;  // far too little: one window at a time
        QCOMPARE(estimate_calibration(*model, windows, narrow).windows_per_group, std::int64_t(1));
        QCOMPARE(estimate_calibration(*model, windows, {}).windows_per_group, std::int64_t(6));
        Progress progress;
        const Statistics one = calibrate(model, windows, {}, narrow, progress), all = calibrate(model, windows, {}, {}, progress);
        QVERIFY(relative(one.channel_abs.data, all.channel_abs.data) < 1e-5);
        QVERIFY(relative(one.product.data, all.product.data) < 1e-3);
        QCOMPARE(one.sample_tokens, all.sample_tokens);
    }

    void left_out_tokens_count_in_no_sum() {
        // Leaving out all but the first four tokens of a causal model equals a shorter window.
        const auto model = tiny();
        Windows whole = some_windows(1), part = whole;
        for (std::size_t t = 4; t < 16; ++t) whole.counted[0][t] = false;
        part.ids[0].resize(4);
        part.counted[0].resize(4);
        Progress progress;
        const Statistics a = calibrate(model, whole, {}, {}, progress), b = calibrate(model, part, {}, {}, progress);
        QCOMPARE(a.counted_tokens(), std::int64_t(4));
        QVERIFY(relative(a.channel_abs.data, b.channel_abs.data) < 1e-5);
        QVERIFY(std::abs(a.cosine_token.at(1, 3) - b.cosine_token.at(1, 3)) < 1e-6);
        QVERIFY(std::abs(a.angular_last.at(1, 3) - b.angular_last.at(1, 3)) < 1e-6);
        QVERIFY(std::abs(a.cosine_token_axis.at(1, 3) - b.cosine_token_axis.at(1, 3)) < 1e-6);
    }

    void nothing_left_is_an_error() {
        Windows windows = some_windows(1);
        windows.source = "short.txt";
        windows.counted[0].assign(16, false);
        Progress progress;
        try {
            calibrate(tiny(), windows, {}, {}, progress);
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("short.txt: no token is left"), error.what());
        }
    }

    void statistics_survive_the_store() {
        Progress progress;
        const Statistics s = calibrate(tiny(), some_windows(3), {}, {}, progress);
        const Statistics back = Statistics::from_artefact(s.to_artefact());
        QCOMPARE(back.to_artefact().meta, s.to_artefact().meta);
        QVERIFY(back.product == s.product && back.sample == s.sample && back.token_abs == s.token_abs);
        QCOMPARE(back.sample_tokens, s.sample_tokens);
        QCOMPARE(back.ids, s.ids);
    }

    void the_sample_holds_the_states() {
        CalibrationSettings settings;
        settings.sample = 16;
        Progress progress;
        const Statistics s = calibrate(tiny(), some_windows(4), settings, {}, progress);
        QVERIFY(s.sample.size(1) <= 16 && s.sample.size(1) >= 14);
        for (std::int64_t i = 0; i < s.sample.size(1); ++i)
            for (int p = 0; p < s.points(); ++p) {
                double square = 0;
                for (const float x : s.sample.row(p, i)) square += double(x) * double(x);
                QVERIFY(test::relative_difference(std::sqrt(square), double(s.token_l2.at(p, s.sample_tokens[std::size_t(i)]))) < 1e-5);
            }
    }

    void the_weights_content_is_kept_with_the_result() {
        Progress progress;
        const Statistics s = calibrate(tiny(), some_windows(1), {}, {}, progress);
        QCOMPARE(s.conditions["content_sha256"].get<std::string>(), tiny()->tensors().content_hash(progress));
        QCOMPARE(s.conditions["model"].get<std::string>(), tiny()->identity());
    }

    void extreme_tokens_are_found_and_sampled() {
        // A factor just above 1 makes the strongest tokens extreme; each is listed once, strongest first, and sampled.
        CalibrationSettings settings;
        settings.extreme_token = 1.2;
        settings.sample = 16;
        Progress progress;
        const Statistics s = calibrate(tiny(), some_windows(4), settings, {}, progress);
        QVERIFY(!s.extreme_tokens.empty());
        std::set<std::pair<std::int64_t, std::int64_t>> places;
        double before = 1e30;
        for (const ExtremeToken& t : s.extreme_tokens) {
            QVERIFY(t.norm > 1.2 * t.median && t.norm / t.median <= before);
            QVERIFY(places.insert({t.window, t.position}).second);
            QCOMPARE(t.id, s.ids[std::size_t(s.window_begin[std::size_t(t.window)] + t.position)]);
            before = t.norm / t.median;
        }
        const ExtremeToken& strongest = s.extreme_tokens.front();
        const auto place = s.window_begin[std::size_t(strongest.window)] + strongest.position;
        QVERIFY(std::binary_search(s.sample_tokens.begin(), s.sample_tokens.end(), place));
    }

    void sums_by_hand() {
        Statistics s;
        s.layers = 1;
        s.hidden = 2;
        s.window_begin = {0, 1, 3};
        s.ids = {7, 8, 9};
        s.counted = {1, 1, 0};
        s.channel_abs = Array<double>({2, 2, 2, 2});
        s.channel_abs.at(0, 1, 0, 0) = 3;  // window 0, channel 0
        s.channel_abs.at(0, 1, 1, 0) = 5;
        s.token_l2 = Array<float>({2, 3}, std::vector<float>{0, 0, 0, 2, 4, 100});
        s.peak = Array<double>({2, 2}, 4.0);
        s.square = Array<double>({2, 2, 2}, 2.0);
        QCOMPARE(s.mean_abs(0, 1), (std::vector<double>{4, 0}));  // (3 + 5) / 2 counted tokens
        QCOMPARE(s.mean_l2(1), 3.0);                              // the third token does not count
        QCOMPARE(s.incoherence(0, 1), 4.0 * std::sqrt(2.0 * 2.0) / 2.0);
        QCOMPARE(s.pair_index(0, 1), std::int64_t(0));
        s.layers = 3;  // pairs in order: 01 02 03 12 13 23
        QCOMPARE(s.pair_index(0, 3), std::int64_t(2));
        QCOMPARE(s.pair_index(1, 2), std::int64_t(3));
        QCOMPARE(s.pair_index(2, 3), std::int64_t(5));
    }

    void cancel_stops_at_the_next_step() {
        std::stop_source stop;
        int steps = 0;
        Progress progress(stop.get_token(), [&](const ProgressReport&) {
            if (++steps == 3) stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(calibrate(tiny(), some_windows(4), {}, {}, progress), Cancelled);
        QCOMPARE(steps, 3);
    }

    void the_key_follows_every_input() {
        const auto model = tiny();
        const Windows windows = some_windows(2);
        const Key key = calibration_key(*model, windows, {}, {});
        QCOMPARE(calibration_key(*model, windows, {}, {.threads = 1}), key);  // threads change no number
        QVERIFY(calibration_key(*model, windows, {}, {.dtype = "bfloat16"}) != key);
        QVERIFY(calibration_key(*model, windows, {.sample = 8}, {}) != key);
        QVERIFY(calibration_key(*Model::open(test::data("archs/llama")), windows, {}, {}) != key);
    }
};

SUTURE_SUITE(TestCalibration)
#include "test_calibration.moc"
