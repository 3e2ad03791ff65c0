// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs that live in kept layers' own tensors, the forms of a repair, and the choice among them.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/calibration/calibrate.h"
#include "core/evaluation/evaluation.h"
#include "core/model/internal/decoder.h"
#include "core/repair/forms.h"
#include "core/repair/internal/down_projection.h"
#include "core/repair/internal/seam_statistics.h"
#include "core/repair/kind_forms.h"
#include "core/repair/recommend.h"
#include "core/tensor/internal/arrays.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/windows.h"

using namespace suture;

namespace {

Windows windows_of(const Model& model, int count, int tokens) {
    return test::walking_windows(model.architecture().vocabulary, count, tokens);
}

std::shared_ptr<const Model> arch(const char* name) { return Model::open(test::data(std::string("archs/") + name)); }

Repaired fitted(std::shared_ptr<const Model> model, const Windows& windows, const LayerSet& removed, const char* kind,
                const RepairSettings& settings = {}) {
    Progress progress;
    return fit_repair(model, nullptr, windows, removed, kind, settings, {}, progress);
}

at::Tensor logits_of(std::shared_ptr<const Model> model, const Variant& variant, const std::vector<std::int64_t>& ids) {
    const Decoder decoder(model, {});
    auto x = decoder.embed(ids);
    for (const Step& step : variant.steps(model->architecture().layers))
        x = step.map ? apply_map(*step.map, x) : decoder.run(decoder.load(step), x);
    return decoder.logits(x);
}

}  // namespace

class TestLayerFits : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void layers_around_seams() {
        // Layers 2, 3 and 6 of 10 are gone.
        QCOMPARE(layers_in_front_of_seams(LayerSet({2, 3, 6}), 10, 0), (std::vector<int>{1, 5}));
        QCOMPARE(layers_in_front_of_seams(LayerSet({2, 3, 6}), 10, 2), (std::vector<int>{1, 4, 5, 7, 8}));
        QCOMPARE(layers_in_front_of_seams(LayerSet({8, 9}), 10, 3), (std::vector<int>{7}));
    }

    void a_refit_solves_the_normal_equations() {
        // D = (FᵀF + λ·mean·I)⁻¹FᵀR exactly: (FᵀF + λ·mean·I)·Dᵀ = FᵀR.
        const auto f = at::randn({50, 6}, at::kDouble), r = at::randn({50, 4}, at::kDouble);
        LayerFitInput input{.weight = at::randn({4, 6}, at::kDouble)};
        input.sums.add(f, r);
        const std::array ridges{0.1};
        const auto d = refit_down(input, ridges).weights[0] - input.weight;  // [4, 6]
        const auto gram = at::matmul(f.t(), f), shifted = gram + 0.1 * gram.diagonal().mean() * at::eye(6, at::kDouble);
        QVERIFY((at::matmul(shifted, d.t()) - at::matmul(f.t(), r)).abs().max().item<double>() < 1e-10);
    }

    void a_fold_turns_output_and_bias() {
        // What is missing is half the MLP's output m, so T = 1.5·I and both weight and bias grow by half.
        const auto m = at::randn({50, 4}, at::kDouble);
        LayerFitInput input{.weight = at::randn({4, 6}, at::kDouble), .bias = at::randn({4}, at::kDouble)};
        input.sums.add(m, 0.5 * m);
        const std::array ridges{0.0};
        const LayerFit fit = fold_into_down(input, ridges);
        QVERIFY((fit.weights[0] - 1.5 * input.weight).abs().max().item<double>() < 1e-9);
        QVERIFY((fit.biases[0] - 1.5 * input.bias).abs().max().item<double>() < 1e-9);
    }

    void edited_layers_come_nearer_to_the_dense_stream_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        for (const char* name : {"llama", "llama_tied_bias", "qwen2", "phi3", "qwen3"})
            for (const char* kind : {"fold", "refit", "cascade", "cascade-attention"})
                QTest::addRow("%s %s", name, kind) << QString(name) << QString(kind);
    }
    void edited_layers_come_nearer_to_the_dense_stream() {
        QFETCH(QString, name);
        QFETCH(QString, kind);
        const auto model = arch(qPrintable(name));
        const Windows windows = windows_of(*model, 8, 24);
        const LayerSet removed({1, 3});
        const Repaired repaired = fitted(model, windows, removed, qPrintable(kind));
        QVERIFY(repaired.variant.maps().empty());
        QCOMPARE(repaired.patches.size(), std::size_t(2));
        QVERIFY(repaired.variant.edits().contains(0) && repaired.variant.edits().contains(2));
        for (const Patch& patch : repaired.patches) QVERIFY(patch.error_frobenius < 1);
        // Its own account of the error equals the error of the streams, recomputed here.
        const Decoder decoder(model, {});
        const LayerEdit& edit = *repaired.variant.edits().at(0);
        double given = 0, patched = 0;
        for (const auto& ids : windows.ids) {
            const auto x0 = decoder.embed(ids), x1 = decoder.run(decoder.load(0), x0), x2 = decoder.run(decoder.load(1), x1);
            const auto edited = decoder.run(decoder.load({.layer = 0, .edit = std::make_shared<const LayerEdit>(edit)}), x0);
            given += (x1 - x2).square().sum().item<double>();
            patched += (edited - x2).square().sum().item<double>();
        }
        QVERIFY(std::abs(std::sqrt(patched / given) - repaired.patches[0].error_frobenius) < 1e-4);
    }

    void attention_behind_a_seam_is_refitted_towards_the_dense_one() {
        // D = W' − W solves (FᵀF + λ·mean·I)·Dᵀ = FᵀR, F the heads that layer 2 sees behind the seam, R what its attention's stream lacks.
        const auto model = arch("llama");
        const Windows windows = windows_of(*model, 8, 24);
        RepairSettings settings;
        settings.cascade = 1;
        const Repaired repaired = fitted(model, windows, LayerSet({1}), "cascade-attention", settings);
        const auto edits = repaired.variant.edits();
        QVERIFY(!edits.at(0)->tensors.contains("self_attn.o_proj.weight"));
        const Decoder decoder(model, {});
        LayerSums sums;
        for (const auto& ids : windows.ids) {
            const auto x0 = decoder.embed(ids), x2 = decoder.run(decoder.load(1), decoder.run(decoder.load(0), x0));
            const auto student = decoder.run(decoder.load({.layer = 0, .edit = edits.at(0)}), x0);
            LayerProbe dense, repaired_probe;
            decoder.run(decoder.load(2), x2, &dense);
            decoder.run(decoder.load(2), student, &repaired_probe);
            sums.add(repaired_probe.heads.to(at::kDouble), (dense.between - repaired_probe.between).to(at::kDouble));
        }
        const auto weight = edited_tensor(*model, {.layer = 2}, "self_attn.o_proj.weight");
        const auto d = (edited_tensor(*model, {.layer = 2, .edit = edits.at(2)}, "self_attn.o_proj.weight") - weight).to(at::kDouble);
        const auto shifted = sums.gram + settings.ridge * sums.gram.diagonal().mean() * at::eye(sums.gram.size(0), at::kDouble);
        const double residual = (at::matmul(shifted, d.t()) - sums.cross).norm().item<double>();
        QVERIFY2(residual < 1e-3 * sums.cross.norm().item<double>(), qPrintable(QString::number(residual)));
        QVERIFY(d.norm().item<double>() > 0);
    }

    void families_with_a_norm_behind_the_mlp_refuse() {
        for (const char* kind : {"fold", "refit", "cascade", "cascade-attention"}) {
            const std::string sentence = repair_refusal(kind, *arch("gemma2"), LayerSet({2}));
            QVERIFY2(QString::fromStdString(sentence).contains("gemma2") && QString::fromStdString(sentence).contains(kind),
                     sentence.c_str());
            QVERIFY(repair_refusal(kind, *arch("llama"), LayerSet({2})).empty());
            QVERIFY(!repair_refusal(kind, *arch("llama"), LayerSet({0})).empty());
        }
        QVERIFY(QString::fromStdString(repair_refusal("stock-layer", *arch("qwen3"), LayerSet({2}))).contains("qwen3"));
        QVERIFY(!repair_refusal("stock-layer", *arch("qwen2_window"), LayerSet({2})).empty());
    }

    void edits_are_rounded_to_the_stored_type() {
        const auto model = arch("llama_bf16");
        const Repaired repaired = fitted(model, windows_of(*model, 4, 24), LayerSet({2}), "refit");
        const Step step{.layer = 1, .edit = repaired.variant.edits().at(1)};
        const auto stored = edited_tensor(*model, step, "mlp.down_proj.weight");
        QCOMPARE(stored.scalar_type(), at::kBFloat16);
        QVERIFY(at::equal(Decoder(model, {}).load(step).down.weight, stored.to(at::kFloat)));
    }

    void a_folded_scalar_equals_the_unfolded_one_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"llama", "llama_tied_bias", "gemma", "gemma2", "mistral", "phi3", "qwen2", "qwen3", "smollm3"})
            QTest::newRow(name) << QString(name);
    }
    void a_folded_scalar_equals_the_unfolded_one() {
        QFETCH(QString, name);
        const auto model = arch(qPrintable(name));
        const Windows windows = windows_of(*model, 4, 24);
        for (const auto& removed : {LayerSet({1}), LayerSet({1, 3}), LayerSet({model->architecture().layers - 1})}) {
            const Repaired unfolded = fitted(model, windows, removed, "scalar");
            const Repaired folded = in_form(*model, unfolded, Form::Stock);
            QVERIFY(folded.variant.maps().empty());
            const auto a = logits_of(model, unfolded.variant, windows.ids[0]), b = logits_of(model, folded.variant, windows.ids[0]);
            QVERIFY2((a - b).abs().max().item<double>() < 1e-4, qPrintable(QString::number((a - b).abs().max().item<double>())));
        }
    }

    void a_folded_scalar_keeps_what_was_trained() {
        const auto model = arch("llama");
        const Windows windows = windows_of(*model, 4, 24);
        Repaired trained = fitted(model, windows, LayerSet({1, 3}), "scalar");
        for (const int layer : {0, 2, 4})  // in front of, between and behind the seams
            for (const char* name : {"self_attn.o_proj.weight", "mlp.down_proj.weight", "mlp.up_proj.weight"}) {
                auto values = floats_of(edited_tensor(*model, {.layer = layer}, name).to(at::kFloat) * 1.25);
                trained.variant = trained.variant.with_edit(layer, {.tensors = {{name, std::move(values)}}});
            }
        const Repaired stock = in_form(*model, trained, form_named("auto", trained));
        QVERIFY(stock.variant.maps().empty());
        const auto a = logits_of(model, trained.variant, windows.ids[0]), b = logits_of(model, stock.variant, windows.ids[0]);
        QVERIFY2((a - b).abs().max().item<double>() < 1e-4, qPrintable(QString::number((a - b).abs().max().item<double>())));
    }

    void what_is_no_factor_any_more_has_no_stock_form() {
        const auto model = arch("llama");
        Repaired repaired = fitted(model, windows_of(*model, 4, 24), LayerSet({1}), "scalar");
        QVERIFY(form_named("auto", repaired) == Form::Stock);
        const auto c = model->architecture().hidden;
        for (const StreamMap& map : {StreamMap{.kind = "scalar", .matrix = floats_of(at::eye(c, at::kFloat))},
                                     StreamMap{.kind = "scalar", .scale = Array<double>({1}, -0.5)}}) {
            repaired.patches[0].map = std::make_shared<const StreamMap>(map);
            repaired.variant = repaired.variant.with_map(2, repaired.patches[0].map);
            QVERIFY(form_named("auto", repaired) == Form::Patched);
            QVERIFY(!form_refusal(*model, repaired, Form::Stock).empty());
            QVERIFY_EXCEPTION_THROWN(in_form(*model, repaired, Form::Stock), Error);
        }
    }

    void a_refusal_advises_nothing_that_is_refused_too() {
        const auto model = arch("gemma2");
        for (const RepairInfo& info : repair_kinds()) {
            const std::string stock_layer = repair_refusal("stock-layer", *model, LayerSet({1}));
            const std::string form = form_refusal(*model, "ridge", Form::Stock);
            if (repair_refusal(info.name, *model, LayerSet({1})).empty()) continue;
            QVERIFY2(!QString::fromStdString(stock_layer + form).contains("Choose " + QString::fromStdString(info.name)),
                     stock_layer.c_str());
            QVERIFY2(!QString::fromStdString(form).contains(QString::fromStdString(info.name)), form.c_str());
        }
    }

    void few_held_out_windows_recommend_nothing() {
        // Every fourth window is held out: 3 of 12, and 8 of 32, from which on there is an interval.
        const auto model = arch("llama");
        Progress progress;
        for (const auto& [count, sure] : {std::pair{12, false}, {32, true}}) {
            const Recommendation result = recommend_repair(model, windows_of(*model, count, 24), LayerSet({2}),
                                                           {.kinds = {"ridge", "channel", "scalar"}}, {}, {}, progress);
            QCOMPARE(result.trials[1].to_none_interval.has_value(), sure);
            if (!sure) QCOMPARE(result.recommended().kind, std::string("none"));
            QCOMPARE(QString::fromStdString(result.reason).contains("3 held-out windows are too few"), !sure);
            if (result.best > 0) QVERIFY(result.recommended().to_none_interval->high < 1);
        }
    }

    void lambda_is_searched_on_windows_that_the_fit_did_not_see() {
        const auto model = arch("llama");
        const Windows windows = windows_of(*model, 8, 24);
        RepairSettings settings;
        settings.ridge_search = true;
        for (const char* kind : {"ridge", "refit", "low-rank"}) {
            const Repaired repaired = fitted(model, windows, LayerSet({2}), kind, settings);
            QVERIFY(repaired.patches[0].ridge >= 1e-5 && repaired.patches[0].ridge <= 1);
            QCOMPARE(repaired.settings["ridge"].get<std::string>(), std::string("searched"));
        }
        QCOMPARE(repair_json_key("ridge", settings), std::string("ridge_auto"));
    }

    void least_squares_is_not_recommended_where_it_hurts() {
        // 32 windows of 2 tokens fix a 32 × 32 matrix by 48 rows: it fits them and fails on others.
        const auto model = arch("llama");
        const Windows few = windows_of(*model, 32, 2);
        RepairSettings settings;
        settings.ridge = 0;
        Progress progress;
        const Recommendation hurt = recommend_repair(model, few, LayerSet({2}), {.kinds = {"ridge"}}, settings, {}, progress);
        QCOMPARE(hurt.trials.size(), std::size_t(2));
        QVERIFY2(hurt.trials[1].to_none > 1, "the case is meant to overfit");
        QCOMPARE(hurt.recommended().kind, std::string("none"));
        QVERIFY(QString::fromStdString(hurt.reason).contains("no repair is better than none"));
    }

    void refused_kinds_are_listed_with_the_reason() {
        const auto model = arch("gemma2");
        Progress progress;
        const Recommendation result =
            recommend_repair(model, windows_of(*model, 8, 12), LayerSet({2}),
                             {.kinds = {"none", "channel", "refit"}, .massive_each = true}, {}, {}, progress);
        QCOMPARE(result.trials.size(), std::size_t(5));  // refit three times: massive tokens kept, masked and weighted
        QVERIFY(!result.trials[2].refusal.empty() && result.trials[1].refusal.empty());
        QVERIFY(result.trials[1].to_none_interval.has_value() == (result.trials[1].held_out.windows.size() >= 8));
        QCOMPARE(result.table().rows.size(), result.trials.size());
    }

    void massive_tokens_can_be_masked_or_weighed_down() {
        // Norms 1, 1, 1, 100: the last row is above 20 medians.
        auto rows = at::eye(4, at::kFloat);
        rows[3].mul_(100);
        QVERIFY(at::equal(row_weights(rows, "keep", 20), at::ones({4}, at::kDouble)));
        QVERIFY(at::equal(row_weights(rows, "mask", 20), at::tensor({1.0, 1.0, 1.0, 0.0}, at::kDouble)));
        QVERIFY((row_weights(rows, "weight", 20) - at::tensor({1.0, 1.0, 1.0, 1e-4}, at::kDouble)).abs().max().item<double>() < 1e-12);
    }
};

SUTURE_SUITE(TestLayerFits)
#include "test_layer_fits.moc"
