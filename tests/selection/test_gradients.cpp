// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients layer by layer against finite differences, and the taylor criterion made of them.
#include "core/selection/criterion.h"
#include "core/selection/internal/backward.h"

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;
using test::nll;
using test::text;
using test::Toy;

namespace {

std::vector<float> values_of(const at::Tensor& tensor) {
    const auto flat = tensor.to(at::kFloat).contiguous();
    return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class TestGradients : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;

    SelectionInput input_of(const std::shared_ptr<const Model>& model) const {
        SelectionInput input{.model = model, .windows = &text};
        input.settings.no_plus = true;
        return input;
    }

private Q_SLOTS:
    // Σ w·dL/dw of a tensor is the slope of L as the tensor is scaled: every tensor of two layers, in checkpoints of several families.
    void gradients_by_finite_differences_data() {
        QTest::addColumn<QString>("arch");
        for (const char* arch : {"qwen2_window", "qwen3", "gemma", "gemma2", "phi3"}) QTest::newRow(arch) << arch;
    }
    void gradients_by_finite_differences() {
        QFETCH(QString, arch);
        const auto model = Model::open(test::data("archs/" + arch.toStdString()));
        const Decoder decoder(model, {});
        Progress progress;
        int checked = 0;
        walk_backwards(decoder, text, progress, [&](int layer, const std::vector<WeightGradient>& weights) {
            if (layer != 0 && layer != 3) return;
            for (const WeightGradient& w : weights) {
                const double slope = (w.weight.to(at::kDouble) * w.gradient.to(at::kDouble)).sum().item<double>();
                const auto scaled = [&](double factor) {
                    LayerEdit edit;
                    edit.tensors[w.name] = Array<float>(w.weight.sizes().vec(), values_of(w.weight * factor));
                    return nll(model, Variant().with_edit(layer, std::move(edit)));
                };
                const auto difference = [&](double h) { return scaled(1 + h) - scaled(1 - h); };
                const double h = 0.004, found = (8 * difference(h) - difference(2 * h)) / (12 * h);
                QVERIFY2(near(slope, found, 0.02 * std::abs(found) + 2e-4),
                         qPrintable(QString("layer %1 %2: %3, expected %4").arg(layer).arg(w.name.c_str()).arg(slope).arg(found)));
                checked += std::abs(found) > 1e-3 ? 1 : 0;
            }
        });
        QVERIFY2(checked > 5, qPrintable(QString::number(checked)));  // the slopes are not all lost in the tolerance
    }

    void taylor_takes_the_absolute_value_after_the_sum() {
        const auto model = Toy().write(folder_.path() / "plain");
        const Ranking both = rank_layers(input_of(model), "taylor", 1);
        // Summed over both halves first, gradients that point in different directions cancel: |a + b| < |a| + |b|.
        Windows halves[2]{text, text};
        halves[0].ids = {text.ids[0], text.ids[1]};
        halves[1].ids = {text.ids[2], text.ids[3]};
        for (Windows& half : halves) half.counted.resize(2);
        SelectionInput input = input_of(model);
        double per_batch = 0;
        for (const Windows& half : halves) {
            input.windows = &half;
            per_batch += rank_layers(input, "taylor", 1).scores.at(2) / 2;
        }
        QVERIFY(both.scores.at(2) < per_batch * 0.95);

        // Against the definition, from the gradients themselves.
        const Decoder decoder(model, {});
        Progress progress;
        std::map<int, double> expected;
        walk_backwards(decoder, text, progress, [&](int layer, const std::vector<WeightGradient>& weights) {
            for (const WeightGradient& w : weights) {
                const auto weight = values_of(w.weight), gradient = values_of(w.gradient);
                for (std::size_t i = 0; i < weight.size(); ++i) expected[layer] += std::abs(double(weight[i]) * double(gradient[i]));
            }
        });
        for (int l = 0; l < Toy::layers; ++l) QVERIFY(near(both.scores.at(l), expected[l], 1e-5 * expected[l]));
    }

    void the_memory_of_gradients_follows_the_text_not_the_context() {
        Toy toy;
        const auto model = toy.write(folder_.path() / "plain");
        toy.config["max_position_embeddings"] = 131072;
        const auto longer = toy.write(folder_.path() / "long");
        const auto needed = criterion_named("taylor").memory(*model, text, {}).resident;
        QCOMPARE(criterion_named("taylor").memory(*longer, text, {}).resident, needed);
        const Windows more = test::toy_windows(8, 24);
        // Four more windows of 24 tokens: their states at 7 points and the gradient in front of the point reached.
        QCOMPARE(criterion_named("taylor").memory(*model, more, {}).resident - needed, std::uint64_t(4 * 24 * 16 * 8 * 4));
    }
};

SUTURE_SUITE(TestGradients)
#include "test_gradients.moc"
