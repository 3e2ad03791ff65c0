// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"
#include "core/repair/internal/patch_error.h"
#include "core/tensor/internal/hadamard.h"

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

at::Tensor as_tensor_of(const Array<float>& a) {
    return at::from_blob(const_cast<float*>(a.data.data()), {a.size(0), a.size(1)}, at::kFloat).clone();
}

StreamMap rotated(std::vector<double> d) {
    const auto n = std::int64_t(d.size());
    return {.kind = "linearpatch", .scale = Array<double>({n}, std::move(d)), .hadamard = true};
}

/// Both sides of a seam from rows of tokens, one window each: [W][n][C].
SeamStatistics seam_of(const std::vector<at::Tensor>& given, const std::vector<at::Tensor>& expected) {
    SeamStatistics s;
    const std::int64_t c = given[0].size(1);
    const Hadamard& h = Hadamard::of_size(c);
    const auto x = at::cat(given), y = at::cat(expected);
    for (int basis = 0; basis < 2; ++basis) {
        const auto in_basis = [&](const at::Tensor& rows) { return basis ? h.apply(rows) : rows; };
        std::vector<at::Tensor> a, b;
        for (std::size_t w = 0; w < given.size(); ++w) {
            a.push_back(in_basis(given[w]).abs().sum(0));
            b.push_back(in_basis(expected[w]).abs().sum(0));
        }
        s.abs_given[basis] = at::stack(a);
        s.abs_expected[basis] = at::stack(b);
        s.square_given[basis] = in_basis(x).square().sum(0);
        s.square_expected[basis] = in_basis(y).square().sum(0);
        s.product[basis] = (in_basis(x) * in_basis(y)).sum(0);
    }
    s.l2_given = x.norm(2, {1}).mean().item<double>();
    s.l2_expected = y.norm(2, {1}).mean().item<double>();
    s.gram = at::matmul(x.t(), x);
    s.cross = at::matmul(x.t(), y - x);
    s.predictor_sum = x.sum(0);
    s.increment_sum = (y - x).sum(0);
    s.increment_square = (y - x).square().sum().item<double>();
    s.weight = double(x.size(0));
    return s;
}

at::Tensor rows(std::vector<double> values, std::int64_t channels) { return at::tensor(values, at::kDouble).reshape({-1, channels}); }

StreamMap fitted(const char* kind, const SeamStatistics& seam, const RepairSettings& settings) {
    const std::array ridges{settings.ridge};
    return kind_named(kind).fit(seam, settings, ridges)[0];
}

}  // namespace

class TestMaps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linearpatch_identities_data() {
        QTest::addColumn<int>("size");
        for (const int n : {8, 12, 36, 64}) QTest::addRow("%d", n) << n;
    }
    void linearpatch_identities() {
        QFETCH(int, size);
        std::vector<double> d;
        for (int i = 0; i < size; ++i) d.push_back(0.5 + 0.01 * ((i * 37) % 101));
        const double sum = std::accumulate(d.begin(), d.end(), 0.0);
        const auto p = as_tensor_of(dense_matrix(rotated(d), size)).to(at::kDouble);
        QVERIFY((p - p.t()).abs().max().item<double>() < 1e-6);                  // symmetric
        QVERIFY(std::abs(p.trace().item<double>() - sum) < 1e-4);                // trace = Σd
        QVERIFY((p.diagonal() - sum / size).abs().max().item<double>() < 1e-6);  // every diagonal entry is mean(d)
        const auto eigenvalues = at::linalg_eigvalsh(p);                         // ascending
        const auto sorted = std::get<0>(at::tensor(d, at::kDouble).sort());
        QVERIFY((eigenvalues - sorted).abs().max().item<double>() < 1e-5);  // eigenvalues are d
    }

    void powers_of_two_depend_on_xor_only() {
        std::vector<double> d;
        for (int i = 0; i < 16; ++i) d.push_back(1 + 0.1 * i);
        const auto p = dense_matrix(rotated(d), 16);
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j < 16; ++j) QVERIFY(std::abs(p.at(i, j) - p.at(0, i ^ j)) < 1e-6F);
    }

    void ratios_by_hand() {
        // Two windows of two tokens, two channels. Sums of |x|: window 0 given (3, 4) expected (6, 2); window 1 given (1, 2) expected (4,
        // 5).
        const auto seam = seam_of({rows({1, -1, -2, 3}, 2), rows({1, 0, 0, 2}, 2)}, {rows({-2, 1, 4, 1}, 2), rows({4, 5, 0, 0}, 2)});
        const auto paper = magnitude_ratio(seam, 0, "paper").data, script = magnitude_ratio(seam, 0, "script").data;
        QCOMPARE(paper, (std::vector<double>{10.0 / 4, 7.0 / 6}));
        QVERIFY(std::abs(script[0] - (6.0 / 3 + 4.0 / 1) / 2) < 1e-12 && std::abs(script[1] - (2.0 / 4 + 5.0 / 2) / 2) < 1e-12);
    }

    void dead_channels() {
        // Channel 0 is dead before the seam, channel 1 behind it.
        const auto seam = seam_of({rows({0, 2, 1}, 3)}, {rows({5, 0, 1}, 3)});
        for (const char* definition : {"paper", "script"})
            QCOMPARE(magnitude_ratio(seam, 0, definition).data, (std::vector<double>{1, 0, 1}));
    }

    void a_block_that_scales_is_repaired_exactly() {
        // Here x_e is 1.5·x_s, so scalar, channel, LinearPatch and least squares all find it.
        const auto x = rows({1, 2, -3, 4, 0.5, -1, 2, 2}, 4);
        const auto seam = seam_of({x}, {x * 1.5});
        RepairSettings settings;
        settings.ridge = 0;
        for (const char* kind : {"scalar", "channel", "linearpatch", "ridge"}) {
            const StreamMap map = fitted(kind, seam, settings);
            QVERIFY2(frobenius_error(map, seam) < 1e-5, kind);
            const auto y = apply_map(map, x.to(at::kFloat));
            QVERIFY2((y - x.to(at::kFloat) * 1.5).abs().max().item<float>() < 1e-5, kind);
        }
    }

    void exact_error_equals_the_error_on_rows() {
        const auto x = at::randn({40, 12}, at::kDouble),
                   y = x * at::rand({12}, at::kDouble).add(0.5) + 0.3 * at::randn({40, 12}, at::kDouble);
        const auto seam = seam_of({x.narrow(0, 0, 15), x.narrow(0, 15, 25)}, {y.narrow(0, 0, 15), y.narrow(0, 15, 25)});
        for (const char* kind : {"scalar", "channel", "linearpatch", "ridge"}) {
            const StreamMap map = fitted(kind, seam, {});
            const double direct = ((apply_map(map, x.to(at::kFloat)).to(at::kDouble) - y).norm() / (x - y).norm()).item<double>();
            QVERIFY2(std::abs(frobenius_error(map, seam) - direct) < 1e-5, kind);
        }
    }

    void an_additive_term_is_found() {
        // The block adds the same row to every token: M = 0 and the bias is that row.
        const auto x = at::randn({40, 12}, at::kDouble), row = at::randn({12}, at::kDouble);
        RepairSettings settings;
        settings.ridge = 1e-9;
        settings.bias = true;
        const StreamMap map = fitted("ridge", seam_of({x}, {x + row}), settings);
        QVERIFY((at::tensor(map.bias.data) - row.to(at::kFloat)).abs().max().item<float>() < 1e-5);
        QVERIFY(frobenius_error(map, seam_of({x}, {x + row})) < 1e-5);
    }

    void low_rank_is_the_nearest_prediction_of_its_rank() {
        // The increment x·u·vᵀ has rank one, so rank 1 finds all of it; of two such terms rank 1 keeps the one that moves x more.
        // Orthonormal columns, so that what the two terms add does not overlap.
        const auto x = std::get<0>(at::linalg_qr(at::randn({60, 12}, at::kDouble)));  // [60, 12]
        const auto u = at::eye(12, at::kDouble);
        const auto strong = 5 * at::outer(u[0], u[1]), weak = 0.1 * at::outer(u[2], u[3]);
        RepairSettings settings;
        settings.ridge = 0;
        settings.rank = 1;
        QVERIFY(frobenius_error(fitted("low-rank", seam_of({x}, {x + at::matmul(x, strong)}), settings),
                                seam_of({x}, {x + at::matmul(x, strong)})) < 1e-5);
        const auto both = seam_of({x}, {x + at::matmul(x, strong + weak)});
        const StreamMap map = fitted("low-rank", both, settings);
        const double left = (at::matmul(x, weak).norm() / at::matmul(x, strong + weak).norm()).item<double>();
        QVERIFY(std::abs(frobenius_error(map, both) - left) < 1e-5);
        settings.rank = 12;
        QVERIFY(frobenius_error(fitted("low-rank", both, settings), both) < 1e-5);
    }

    void a_normalised_map_adds_to_the_stream_what_it_predicts_from_its_direction() {
        // x = (3, 4), mean x² = 12.5; with M = 2·I the stream grows by 2·x/√12.5.
        StreamMap map{.kind = "ridge-normalised", .matrix = Array<float>({2, 2}, {2, 0, 0, 2}), .norm_eps = 1e-12};
        const auto y = apply_map(map, at::tensor({3.0F, 4.0F}).reshape({1, 2}));
        QVERIFY(std::abs(y[0][0].item<double>() - (3 + 6 / std::sqrt(12.5))) < 1e-5);
        QVERIFY(std::abs(y[0][1].item<double>() - (4 + 8 / std::sqrt(12.5))) < 1e-5);
    }

    void unknown_kinds_are_named() {
        try {
            repair_kind("magic");
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("\"magic\"; known are none, scalar, channel, linearpatch"), error.what());
        }
        for (const RepairInfo& info : repair_kinds()) QVERIFY(!info.help.empty() && !info.label.empty() && info.help.back() == '.');
    }
};

SUTURE_SUITE(TestMaps)
#include "test_maps.moc"
