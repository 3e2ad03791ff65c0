// SPDX-License-Identifier: GPL-3.0-or-later
// The live preview: evaluate()'s numbers, from the first difference on.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/selection/preview.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;
using test::Toy;

class TestPreview : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;
    std::shared_ptr<const Model> model_;

    Evaluation evaluated(const Variant& variant, const Windows& slice) const {
        Progress progress;
        return evaluate(model_, std::vector<Variant>{variant}, slice, {}, 0, progress)[0];
    }

private Q_SLOTS:
    void initTestCase() { model_ = Toy(2).write(folder_.path() / "plain"); }

    void measures_what_evaluate_measures() {
        const Windows slice = preview_slice(test::toy_windows(4, 40), 96);
        QCOMPARE(slice.ids.size(), std::size_t(8));
        Preview preview(model_, slice, {});
        Progress progress;
        const auto map = std::make_shared<const StreamMap>(StreamMap{.kind = "scalar", .scale = Array<double>({1}, 1.25)});
        for (const Variant& variant :
             {Variant(), Variant(LayerSet({2})), Variant(LayerSet({2, 4})), Variant(LayerSet({2})).with_map(3, map),
              Variant(LayerSet({1, 2})).with_map(3, map), Variant(LayerSet({2}))}) {
            const Evaluation found = preview.measure(variant, progress), expected = evaluated(variant, slice);
            for (std::size_t w = 0; w < 8; ++w) QVERIFY(std::abs(found.windows[w].nll_sum - expected.windows[w].nll_sum) < 1e-4);
            QCOMPARE(found.conditions, expected.conditions);
            QVERIFY(found.interval().has_value());
        }
    }

    void runs_from_the_first_difference() {
        Preview preview(model_, preview_slice(test::toy_windows(2, 40), 64), {});
        Progress progress;
        preview.measure(Variant(LayerSet({4})), progress);
        QCOMPARE(preview.passes(), std::int64_t(8 * (6 + 1)));  // dense, then layer 5 behind the cut
        preview.measure(Variant(LayerSet({3, 4})), progress);
        QCOMPARE(preview.passes(), std::int64_t(8 * (7 + 1)));  // again layer 5 only
        preview.measure(Variant(LayerSet({4})), progress);
        preview.measure(Variant(), progress);
        QCOMPARE(preview.passes(), std::int64_t(8 * 8));  // known
        preview.measure(Variant(LayerSet({1})), progress);
        QCOMPARE(preview.passes(), std::int64_t(8 * (8 + 4)));
        preview.measure(Variant(LayerSet({1, 5})), progress);
        QCOMPARE(preview.passes(), std::int64_t(8 * (8 + 4)));  // a prefix of the last one
    }

    void a_cancelled_measurement_leaves_a_working_preview() {
        const Windows slice = preview_slice(test::toy_windows(2, 40), 64);
        Preview preview(model_, slice, {});
        std::stop_source stop;
        stop.request_stop();
        Progress cancelled(stop.get_token()), progress;
        QVERIFY_EXCEPTION_THROWN(preview.measure(Variant(LayerSet({1})), cancelled), Cancelled);
        QCOMPARE(preview.passes(), std::int64_t(0));
        const double expected = evaluated(Variant(LayerSet({1})), slice).nll_sum();
        QVERIFY(std::abs(preview.measure(Variant(LayerSet({1})), progress).nll_sum() - expected) < 1e-3);
    }

    // SUTURE_SMOLLM2=FOLDER: 512 tokens of a real model within two seconds, once the dense states are there.
    void fast_enough_to_try_layers() {
        const char* folder = std::getenv("SUTURE_SMOLLM2");
        const auto file = test::shared("text/wiki.test.raw");
        if (!folder || file.empty()) QSKIP("SUTURE_SMOLLM2 does not name a model");
        const auto model = Model::open(folder);
        const Windows held_out = windows_of_text(*Tokenizer::open(folder), file, {.windows = 1}, "llama");
        Preview preview(model, preview_slice(held_out, 512), {});
        Progress progress;
        std::vector<double> seconds;
        const int layers = model->architecture().layers;
        const auto map = std::make_shared<const StreamMap>(
            StreamMap{.kind = "linearpatch", .scale = Array<double>({model->architecture().hidden}, 1.1), .hadamard = true});
        for (const auto& [what, variant] : std::vector<std::pair<std::string, Variant>>{
                 {"dense", Variant()},
                 {"6 layers from 1 on", Variant(LayerSet::range(1, 6)).with_map(7, map)},
                 {"6 layers in the middle", Variant(LayerSet::range(layers / 2, 6)).with_map(layers / 2 + 6, map)},
                 {"one of them kept again", Variant(LayerSet::range(layers / 2, 5)).with_map(layers / 2 + 5, map)}}) {
            QElapsedTimer timer;
            timer.start();
            const double perplexity = preview.measure(variant, progress).perplexity();
            seconds.push_back(double(timer.elapsed()) / 1000);
            qInfo("%s: %.2f s, perplexity %.2f", what.c_str(), seconds.back(), perplexity);
        }
        QVERIFY(*std::max_element(seconds.begin() + 1, seconds.end()) < 2);
    }

    void slices() {
        const Windows source = test::toy_windows(2, 20);
        const Windows slice = preview_slice(source, 1000);  // 40 tokens: pieces of 5
        QCOMPARE(slice.ids[7], std::vector<std::int64_t>(source.ids[1].begin() + 15, source.ids[1].end()));
        Windows with_bos = source;
        with_bos.bos = true;
        for (auto& ids : with_bos.ids) ids[0] = 1;
        const Windows bos = preview_slice(with_bos, 32);
        for (const auto& ids : bos.ids) QVERIFY(ids[0] == 1 && ids.size() == 5 && std::count(ids.begin(), ids.end(), 1) == 1);
        QVERIFY_EXCEPTION_THROWN(preview_slice(test::toy_windows(1, 15), 512), Error);
    }
};

SUTURE_SUITE(TestPreview)
#include "test_preview.moc"
