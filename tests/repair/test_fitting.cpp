// SPDX-License-Identifier: GPL-3.0-or-later
// Fits on a real (tiny) model: several seams, dense and sequential.
#include "core/model/internal/decoder.h"
#include "core/repair/internal/seam_statistics.h"

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/repair/repair.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/windows.h"
#include "tests/support/zero_llama.h"

using namespace suture;

namespace {

struct Calibrated {
    std::shared_ptr<const Model> model = Model::open(test::data("archs/llama"));
    Windows windows;
    Statistics statistics;

    Calibrated() {
        const auto expected = test::read_json(test::data("archs/llama/expected.json"));
        windows = test::windows_of(expected["input_ids"]);
        Progress progress;
        statistics = calibrate(model, windows, {}, {}, progress);
    }
};

double relative(const at::Tensor& a, const at::Tensor& b) { return ((a - b).norm() / b.norm()).item<double>(); }

}  // namespace

class TestFitting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void statistics_and_a_second_pass_agree() {
        const Calibrated c;
        const Seam seam{1, 3};
        Progress progress;
        const auto fromPass = observe_seam(Decoder(c.model, {}), {}, seam, c.windows, {.predictor = Predictor::Stream}, false, progress)[0];
        const SeamStatistics stored = dense_seam(c.statistics, seam);
        for (int basis = 0; basis < 2; ++basis) {
            QVERIFY(relative(fromPass.abs_given[basis], stored.abs_given[basis]) < 1e-6);
            QVERIFY(relative(fromPass.abs_expected[basis], stored.abs_expected[basis]) < 1e-6);
            QVERIFY(relative(fromPass.product[basis], stored.product[basis]) < 1e-6);
        }
        QVERIFY(test::relative_difference(fromPass.l2_given, stored.l2_given) < 1e-6);
        QVERIFY(test::relative_difference(fromPass.gap(), stored.gap()) < 1e-6);
        QVERIFY(relative(fromPass.gram.diagonal(), stored.square_given[0]) < 1e-6);
    }

    void every_seam_gets_its_own_patch() {
        const Calibrated c;
        Progress progress;
        const Repaired repaired = fit_repair(c.model, c.statistics, c.windows, LayerSet({1, 3}), "linearpatch", {}, {}, progress);
        QCOMPARE(repaired.patches.size(), std::size_t(2));
        QCOMPARE(repaired.patches[0].seam, (Seam{1, 2}));
        QCOMPARE(repaired.patches[1].seam, (Seam{3, 4}));
        QCOMPARE(repaired.variant.maps().size(), std::size_t(2));
        QVERIFY(repaired.variant.maps().contains(2) && repaired.variant.maps().contains(4));
    }

    void seams_at_both_ends() {
        const Calibrated c;
        Progress progress;
        const Repaired repaired = fit_repair(c.model, c.statistics, c.windows, LayerSet({0, 4}), "channel", {}, {}, progress);
        QVERIFY(repaired.variant.maps().contains(1) && repaired.variant.maps().contains(5));
        const auto steps = repaired.variant.steps(5);
        QVERIFY(steps.front().map && steps.back().map);  // in front of the first kept layer, and of the final norm
    }

    void sequential_sees_the_patched_stream() {
        const Calibrated c;
        Progress progress;
        RepairSettings dense, sequential;
        dense.fit = "dense";
        sequential.fit = "sequential";
        const LayerSet removed({1, 3});
        const Repaired a = fit_repair(c.model, c.statistics, c.windows, removed, "channel", dense, {}, progress);
        const Repaired b = fit_repair(c.model, c.statistics, c.windows, removed, "channel", sequential, {}, progress);
        QCOMPARE(a.patches[0].map->digest(), b.patches[0].map->digest());  // nothing is patched in front of the first seam
        // At the second seam the sequential fit makes the sums of |x| behind the patch equal to the dense model's.
        const Decoder decoder(c.model, {});
        const auto prefix = Variant(removed).with_map(2, b.patches[0].map);
        const auto seen = observe_seam(decoder, prefix, {3, 4}, c.windows, {.group = 2}, false, progress)[0];
        const auto patched = seen.abs_given[0].sum(0) * at::tensor(b.patches[1].map->scale.data, at::kDouble);
        QVERIFY(relative(patched, seen.abs_expected[0].sum(0)) < 1e-6);
        QVERIFY(a.patches[1].map->digest() != b.patches[1].map->digest());
    }

    void least_squares_is_never_worse_than_nothing_on_its_own_tokens() {
        const Calibrated c;
        Progress progress;
        for (const double ridge : {1e-6, 0.01, 1.0}) {
            RepairSettings settings;
            settings.ridge = ridge;
            const Repaired repaired = fit_repair(c.model, c.statistics, c.windows, LayerSet({2}), "ridge", settings, {}, progress);
            QVERIFY(repaired.patches[0].error_frobenius < 1);
        }
    }

    void a_published_scales_file_is_a_linearpatch() {
        const test::TemporaryFolder folder;
        const auto model = test::llama_of_zeros(folder.path() / "m", 32);
        const Repaired rotated = import_scales(test::data("checkpoint/torch/patch.pt"), *model);
        QCOMPARE(rotated.variant.removed(), LayerSet::range(21, 9));
        QCOMPARE(rotated.kind, std::string("linearpatch"));
        const Array<float> p = dense_matrix(*rotated.variant.maps().at(30), 8);
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < 8; ++j) QCOMPARE(p.at(i, j), float(i * 8 + j + j * 8 + i) / 2);
        const Repaired scaled = import_scales(test::data("checkpoint/torch/parameters.pth"), *model);  // rotate is False there
        QCOMPARE(scaled.kind, std::string("channel"));
        QCOMPARE(scaled.patches[0].map->scale.data, (std::vector<double>{0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2}));
    }

    void a_scales_file_of_another_model_is_refused() {
        const test::TemporaryFolder folder;
        for (const auto& [model, expected] : {std::pair{test::llama_of_zeros(folder.path() / "m", 24), "the model has layers 0 to 23"},
                                              {Model::open(test::data("archs/llama")), "the model has layers 0 to 4"}})
            try {
                import_scales(test::data("checkpoint/torch/patch.pt"), *model);
                QFAIL("was accepted");
            } catch (const Error& error) {
                QVERIFY2(QString(error.what()).contains(expected) && QString(error.what()).contains("patch.pt"), error.what());
            }
    }
};

SUTURE_SUITE(TestFitting)
#include "test_fitting.moc"
