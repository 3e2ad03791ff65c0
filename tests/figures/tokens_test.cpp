// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/tokens.h"

#include <numeric>

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

std::string text_of(std::int64_t id) { return id == 7 ? " the" : id == 8 ? "," : ""; }

/// One window of 2048 tokens; one of them, of id 1 at position 5, is large at point 1.
Statistics long_window() {
    Statistics s;
    s.layers = 1;
    s.ids.assign(2048, 0);
    s.ids[5] = 1;
    s.counted.assign(2048, 1);
    s.window_begin = {0, 2048};
    s.token_l2 = Array<float>({2, 2048}, 1.0f);
    s.token_l2.at(1, 5) = 9;
    return s;
}

}  // namespace

class TokenFigures : public QObject {
    Q_OBJECT
    const Statistics statistics = small_statistics();
    const Array<float> sample = small_patched_sample();
    SeamView view(const Patch* patch = nullptr, const Array<float>* rows = nullptr) const { return {&statistics, Seam{1, 2}, patch, rows}; }

private Q_SLOTS:
    void magnitudes_along_a_window() {
        const Figure figure = token_magnitudes(view(), {.window = 0}, text_of);
        QVERIFY(near(series_named(figure, "expected").x, {0, 1, 2}));
        QVERIFY(near(series_named(figure, "expected").y, {2, 4, 2}));
        QVERIFY(near(series_named(figure, "unpatched").y, {1, 1, 2}));
        QCOMPARE(series_named(figure, "unpatched").point_labels, (std::vector<std::string>{" the", ",", "id 9"}));
        QVERIFY2(contains(figure.caption, "window 0 of 0–1"), figure.caption.c_str());
        QCOMPARE(figure.series.size(), std::size_t(2));
    }

    void norms_and_basis() {
        const Figure norms = token_magnitudes(view(), {.window = 1, .measure = TokenMeasure::L2, .basis = Basis::Hadamard}, {});
        QVERIFY(near(series_named(norms, "expected").y, {40, 50}));
        QVERIFY(near(series_named(norms, "unpatched").y, {4, 5}));
        QCOMPARE(series_named(norms, "unpatched").point_labels, (std::vector<std::string>{"id 7", "id 6"}));
        const Figure rotated = token_magnitudes(view(), {.window = 1, .basis = Basis::Hadamard}, {});
        QVERIFY(near(series_named(rotated, "expected").y, {2, 9}));
    }

    void window_out_of_range_is_the_nearest() {
        QVERIFY(near(series_named(token_magnitudes(view(), {.window = 99}, {}), "expected").y, {8, 100}));
        QVERIFY(near(series_named(token_magnitudes(view(), {.window = -1}, {}), "expected").y, {2, 4, 2}));
    }

    void patched_tokens_are_the_sampled_ones() {
        const Patch patch = linear_patch({2, 1, 1, 4});
        const Series means = series_named(token_magnitudes(view(&patch, &sample), {.window = 0}, text_of), "patched");
        QVERIFY(means.style == Series::Style::Points);
        QVERIFY(near(means.x, {0, 2}));
        QVERIFY(near(means.y, {1, 1.75}));
        QCOMPARE(means.point_labels, (std::vector<std::string>{" the", "id 9"}));
        const Series norms =
            series_named(token_magnitudes(view(&patch, &sample), {.window = 0, .measure = TokenMeasure::L2}, {}), "patched");
        QVERIFY(near(norms.y, {std::sqrt(6.0), std::sqrt(27.0)}));
        const Series second = series_named(token_magnitudes(view(&patch, &sample), {.window = 1}, {}), "patched");
        QVERIFY(near(second.x, {1}) && near(second.y, {9}));
    }

    void patched_tokens_unknown_in_the_hadamard_basis() {
        const Patch patch = linear_patch({2, 1, 1, 4});
        const Figure figure = token_magnitudes(view(&patch, &sample), {.basis = Basis::Hadamard}, {});
        QCOMPARE(figure.series.size(), std::size_t(2));
        QVERIFY(contains(figure.caption, "no sampled token"));
    }

    void scalar_is_known_at_every_token() {
        const Patch patch = scalar_patch(-3);
        const Series patched = series_named(token_magnitudes(view(&patch), {.window = 0}, {}), "patched");
        QVERIFY(patched.style == Series::Style::Line);
        QVERIFY(near(patched.y, {3, 3, 6}));
    }

    void ratios_of_counted_tokens() {
        const Figure figure = token_ratios(view());
        const Series raw = series_named(figure, "raw basis"), hadamard = series_named(figure, "Hadamard basis");
        QVERIFY(std::abs(raw.x.front() - 1) < 1e-12);
        QVERIFY2(std::abs(raw.x.back() - 8) < 1e-12, "the token that is left out must not widen the axis");
        QCOMPARE(raw.x.size(), raw.y.size());
        QVERIFY(near({raw.y[0], raw.y[1], raw.y[raw.y.size() - 2], raw.y.back()}, {0, 25, 25, 0}));
        // Every bin stands twice in the outline.
        QVERIFY(std::abs(std::accumulate(raw.y.begin(), raw.y.end(), 0.0) - 200) < 1e-9);
        QVERIFY(std::abs(*std::max_element(hadamard.y.begin(), hadamard.y.end()) - 100) < 1e-9);
        QVERIFY(figure.x.log);
        QVERIFY2(contains(figure.caption, "standard deviation 2.68 raw, 0 Hadamard"), figure.caption.c_str());
        QVERIFY2(contains(figure.caption, "3.00 raw, 1.50 Hadamard"), figure.caption.c_str());
    }

    void ratios_without_any_magnitude() {
        Statistics dead = statistics;
        std::fill(dead.token_abs.data.begin(), dead.token_abs.data.end(), 0.0f);
        QVERIFY(!token_ratios({&dead, Seam{1, 2}}).empty.empty());
    }

    void map_of_layers_and_tokens() {
        const Figure figure = token_map(&statistics, {.window = 1, .measure = TokenMeasure::L2}, text_of);
        QCOMPARE(figure.map->values, Matrix({3, 2}, {400, 500, 4, 5, 40, 50}));
        QCOMPARE(figure.map->column_labels, (std::vector<std::string>{" the", "id 6"}));
        QVERIFY(figure.map->log && figure.map->column_scale == 1);
        QCOMPARE(figure.to_csv().substr(0, figure.to_csv().find("\r\n")),
                 std::string("stream entering layer,position in the window (tokens),L2 norm (activation units)"));
        QVERIFY(contains(figure.to_csv(), "\r\n2,1,50\r\n"));
        QVERIFY(contains(token_map(nullptr, {}, {}).empty, "Calibrate"));
    }

    void long_windows_are_pooled_by_their_largest() {
        const Statistics s = long_window();
        const Figure figure = token_map(&s, {.measure = TokenMeasure::L2}, {});
        QCOMPARE(figure.map->values.shape, (std::vector<std::int64_t>{2, 1024}));
        QCOMPARE(figure.map->column_scale, 2.0);
        QCOMPARE(figure.map->values.at(1, 2), 9.0);  // positions 4 and 5
        QCOMPARE(figure.map->values.at(0, 2), 1.0);
        QCOMPARE(figure.map->values.at(1, 3), 1.0);
        QCOMPARE(figure.map->column_labels[2], std::string("id 1"));
    }

    void extremes_as_tables() {
        Statistics s = statistics;
        s.extreme_tokens = {{1, 0, 7, 2, 1, 2, 300, 2}, {0, 2, 9, 1, 1, 1, 50, 2}};
        s.extreme_channels = {{1, 3, 8, 0.25}};
        QCOMPARE(extreme_token_table(&s, text_of).to_csv(),
                 std::string("token,window,position,strongest at layer,L2 norm,times median,at layers\r\n"
                             " the,1,0,2,300,150,1–2\r\nid 9,0,2,1,50,25,1\r\n"));
        QCOMPARE(extreme_channel_table(&s).to_csv(), std::string("channel,layer,mean |x|,times median\r\n3,1,8,32\r\n"));
        QVERIFY(extreme_token_table(nullptr, {}).rows.empty() && extreme_channel_table(nullptr).rows.empty());
    }
};

SUTURE_SUITE(TokenFigures)
#include "tokens_test.moc"
