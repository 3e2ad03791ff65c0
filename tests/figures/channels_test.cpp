// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/channels.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

ChannelOptions by_number(Basis basis) { return {.basis = basis, .order = ChannelOrder::Number}; }

}  // namespace

class ChannelFigures : public QObject {
    Q_OBJECT
    const Statistics statistics = small_statistics();
    const Array<float> sample = small_patched_sample();
    SeamView view(const Patch* patch = nullptr, const Array<float>* rows = nullptr) const { return {&statistics, Seam{1, 2}, patch, rows}; }

private Q_SLOTS:
    void says_what_is_missing() {
        QVERIFY(contains(channel_magnitudes({}, {}).empty, "Calibrate"));
        const Figure without_seam = channel_ratios({&statistics}, {});
        QCOMPARE(without_seam.empty, std::string("Choose layers to remove in the strip on the left."));
        QVERIFY(without_seam.series.empty() && !without_seam.title.empty());
        QVERIFY(incoherence_table({&statistics}).rows.empty());
    }

    void means_without_a_patch() {
        const Figure figure = channel_magnitudes(view(), by_number(Basis::Raw));
        QCOMPARE(figure.series.size(), std::size_t(2));
        QVERIFY(near(series_named(figure, "expected").x, {0, 1, 2, 3}));
        QVERIFY(near(series_named(figure, "expected").y, {2, 1, 1, 1}));
        QVERIFY(near(series_named(figure, "unpatched").y, {1, 2, 0, 1}));
        QVERIFY(series_named(figure, "expected").role == Role::Dense && series_named(figure, "unpatched").role == Role::Unpatched);
        QVERIFY(figure.y.log && figure.x.integers);
        QCOMPARE(figure.caption, std::string("wiki.txt, 2 × 3 tokens, no BOS · at the seam of layer 1 (1) · over all 4 tokens"));
    }

    void linear_patch_meets_the_expected_means_in_its_basis() {
        const Patch patch = linear_patch({2, 1, 1, 4});
        const Figure figure = channel_magnitudes(view(&patch, &sample), by_number(Basis::Hadamard));
        QVERIFY(near(series_named(figure, "patched").y, {2, 1, 1, 4}));
        QVERIFY(series_named(figure, "patched").role == Role::Patched);
        const Figure ratios = channel_ratios(view(&patch), by_number(Basis::Hadamard));
        QVERIFY(near(series_named(ratios, "unpatched").y, {2, 1, 1, 4}));
        QVERIFY(near(series_named(ratios, "patched").y, {1, 1, 1, 1}));
        QCOMPARE(ratios.guides.at(0).y, 1.0);
    }

    void negative_scale_keeps_magnitudes_positive() {
        const Patch patch = channel_patch({-2, 0.5, 1, 1});
        QVERIFY(near(series_named(channel_magnitudes(view(&patch), by_number(Basis::Raw)), "patched").y, {2, 1, 0, 1}));
    }

    void scalar_is_exact_in_both_bases() {
        const Patch patch = scalar_patch(3);
        QVERIFY(near(series_named(channel_magnitudes(view(&patch), by_number(Basis::Raw)), "patched").y, {3, 6, 0, 3}));
        QVERIFY(near(series_named(channel_magnitudes(view(&patch), by_number(Basis::Hadamard)), "patched").y, {3, 3, 3, 3}));
    }

    void dense_patch_takes_all_curves_from_the_counted_sample() {
        const Patch patch = dense_patch(std::vector<float>(16, 1));
        const Figure figure = channel_magnitudes(view(&patch, &sample), by_number(Basis::Raw));
        QVERIFY(near(series_named(figure, "expected").y, {4, 0.5, 1, 1}));
        QVERIFY(near(series_named(figure, "unpatched").y, {2, 1, 0, 1}));
        QVERIFY(near(series_named(figure, "patched").y, {3.5, 1, 0, 1}));
        QVERIFY2(contains(figure.caption, "all curves over 2 sampled tokens"), figure.caption.c_str());
    }

    void patched_curve_is_left_out_where_nothing_is_known() {
        const Patch patch = dense_patch(std::vector<float>(16, 1));
        const Figure hadamard = channel_magnitudes(view(&patch, &sample), by_number(Basis::Hadamard));
        QCOMPARE(hadamard.series.size(), std::size_t(2));
        QVERIFY(contains(hadamard.caption, "raw basis only"));
        const Figure raw = channel_magnitudes(view(&patch), by_number(Basis::Raw));
        QCOMPARE(raw.series.size(), std::size_t(2));
        QVERIFY(contains(raw.caption, "not been applied"));
    }

    void dead_channel_has_no_ratio() {
        QVERIFY(near(series_named(channel_ratios(view(), by_number(Basis::Raw)), "unpatched").y, {2, 0.5, none, 1}));
    }

    void order_and_top() {
        const Figure ranked = channel_magnitudes(view(), {.basis = Basis::Hadamard, .order = ChannelOrder::Magnitude, .top = 2});
        const Series expected = series_named(ranked, "expected");
        QVERIFY(near(expected.x, {1, 2}));
        QVERIFY(near(expected.y, {4, 2}));
        QCOMPARE(expected.point_labels, (std::vector<std::string>{"channel 3", "channel 0"}));
        const Figure numbered = channel_magnitudes(view(), {.basis = Basis::Hadamard, .order = ChannelOrder::Number, .top = 2});
        QVERIFY(near(series_named(numbered, "expected").x, {0, 3}));
        QVERIFY(ranked.x.title != numbered.x.title);
    }

    void errors_are_exact_for_scalings() {
        const Patch patch = channel_patch({2, 0.5, 1, 1});
        const Figure figure = channel_errors(view(&patch), by_number(Basis::Raw));
        QVERIFY(near(series_named(figure, "unpatched").y, {1, 1, 1, 0}));
        QVERIFY(near(series_named(figure, "patched").y, {0, std::sqrt(0.5), 1, 0}));
        QVERIFY2(contains(figure.caption, "brings 2 of 4 channels closer"), figure.caption.c_str());
        const Patch linear = linear_patch({2, 1, 1, 4});
        const Figure rotated = channel_errors(view(&linear), by_number(Basis::Hadamard));
        QVERIFY(near(series_named(rotated, "unpatched").y, {1, 0, 0, std::sqrt(10.0)}));
        QVERIFY(near(series_named(rotated, "patched").y, {0, 0, 0, 2}));
    }

    void errors_of_a_dense_patch_come_from_the_sample() {
        const Patch patch = dense_patch(std::vector<float>(16, 1));
        const Figure figure = channel_errors(view(&patch, &sample), by_number(Basis::Raw));
        QVERIFY(near(series_named(figure, "unpatched").y, {std::sqrt(5.0), std::sqrt(0.5), 1, 0}));
        QVERIFY(near(series_named(figure, "patched").y, {std::sqrt(0.5), std::sqrt(0.5), 1, 0}));
        QVERIFY(contains(figure.caption, "brings 1 of 4 channels closer"));
    }

    void incoherence_of_both_sides() {
        const Table table = incoherence_table(view());
        QCOMPARE(table.rows.size(), std::size_t(2));
        QCOMPARE(table.text(0, 0), std::string("unpatched (entering layer 1)"));
        QCOMPARE(table.text(1, 0), std::string("expected (entering final norm)"));
        QVERIFY(near({std::get<double>(table.rows[0][1]), std::get<double>(table.rows[0][2])}, {3, 1.5}));
        QVERIFY(near({std::get<double>(table.rows[1][1]), std::get<double>(table.rows[1][2])}, {std::sqrt(28.0), std::sqrt(22.0)}));
    }

    void csv_holds_what_is_drawn() {
        QCOMPARE(channel_magnitudes(view(), {.order = ChannelOrder::Number, .top = 1}).to_csv(),
                 std::string("series,channel,mean |x| (activation units),low,high,label\r\nexpected,0,2,,,\r\nunpatched,0,1,,,\r\n"));
    }
};

SUTURE_SUITE(ChannelFigures)
#include "channels_test.moc"
