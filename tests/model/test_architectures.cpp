// SPDX-License-Identifier: GPL-3.0-or-later
// Every reference checkpoint: what transformers computed for it, for its cuts, and for its older config spelling.
#include "core/evaluation/evaluation.h"
#include "core/model/internal/decoder.h"

#include <QtTest/QtTest>

#include "core/base/error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/windows.h"

using namespace suture;
using nlohmann::json;

namespace {

constexpr double tolerance = 1e-4;

double largest_difference(const at::Tensor& found, const json& expected) {
    const auto rows = expected.get<std::vector<std::vector<float>>>();
    double largest = 0;
    const auto values = found.contiguous();
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < rows[r].size(); ++c)
            largest = std::max(largest, std::abs(double(values.const_data_ptr<float>()[r * rows[r].size() + c]) - double(rows[r][c])));
    return largest;
}

/// All states x_0 … behind every step, then the logits.
struct Run {
    std::vector<at::Tensor> states;  // [T, C]
    at::Tensor logits;               // [T, V]
};

Run run(const std::shared_ptr<const Model>& model, const Variant& variant, const std::vector<std::int64_t>& ids) {
    const c10::InferenceMode no_gradients;
    const Decoder decoder(model, {});
    Run result;
    auto x = decoder.embed(ids);
    result.states.push_back(x);
    for (const Step& step : variant.steps(model->architecture().layers)) {
        x = decoder.run(decoder.load(step.layer), x);
        result.states.push_back(x);
    }
    result.logits = decoder.logits(x);
    return result;
}

std::vector<int> greedy(const std::shared_ptr<const Model>& model, const Variant& variant, std::vector<std::int64_t> ids,
                        std::size_t count) {
    std::vector<int> tokens;
    while (tokens.size() < count) {
        const auto next = run(model, variant, ids).logits[-1].argmax().item<std::int64_t>();
        tokens.push_back(int(next));
        ids.push_back(next);
    }
    return tokens;
}

void compare_nll(const std::shared_ptr<const Model>& model, const Variant& variant, const json& input_ids, const json& expected) {
    Progress progress;
    const auto result = evaluate(model, std::vector{variant}, test::windows_of(input_ids), {}, 0, progress)[0];
    for (std::size_t w = 0; w < expected.size(); ++w) {
        QCOMPARE(result.windows[w].tokens, expected[w]["tokens"].get<std::int64_t>());
        QVERIFY(std::abs(result.windows[w].nll_sum - expected[w]["sum"].get<double>()) < 1e-3);
    }
}

}  // namespace

class TestArchitectures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void computes_like_transformers_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs")))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void computes_like_transformers() {
        QFETCH(QString, folder);
        const std::filesystem::path path = folder.toStdString();
        const json expected = test::read_json(path / "expected.json");
        const auto model = Model::open(path);
        QCOMPARE(model->architecture().layers, expected["n_layers"].get<int>());
        QCOMPARE(model->parameters(), expected["n_params"].get<std::int64_t>());
        const auto first = expected["input_ids"][0].get<std::vector<std::int64_t>>(),
                   second = expected["input_ids"][1].get<std::vector<std::int64_t>>();
        const Run dense = run(model, {}, first);
        QVERIFY(largest_difference(dense.logits, expected["logits_seq1"]) < tolerance);
        QVERIFY(largest_difference(run(model, {}, second).logits.narrow(0, 36, 4), expected["logits_seq2_last4"]) < tolerance);
        const json& hidden = expected["hidden_seq1"];
        for (std::size_t point = 0; point < dense.states.size(); ++point) {
            QVERIFY(largest_difference(dense.states[point].abs().mean({0}), json::array({hidden["mean_abs"][point]})) < tolerance);
            QVERIFY(largest_difference(dense.states[point][-1], json::array({hidden["last_token"][point]})) < tolerance);
        }
        QCOMPARE(greedy(model, {}, first, 8), expected["greedy"].get<std::vector<int>>());
        compare_nll(model, {}, expected["input_ids"], expected["nll"]);
        for (const json& cut : expected["prune"]) {
            const Variant pruned(LayerSet(cut["remove"].get<std::vector<int>>()));
            QVERIFY(largest_difference(run(model, pruned, first).logits.narrow(0, 20, 4), cut["logits_seq1_last4"]) < tolerance);
            QCOMPARE(greedy(model, pruned, first, 8), cut["greedy"].get<std::vector<int>>());
            compare_nll(model, pruned, expected["input_ids"], cut["nll"]);
        }
    }

    void older_config_spelling_means_the_same_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs")))
            if (std::filesystem::exists(entry.path() / "config.v4.json"))
                QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }

    void older_config_spelling_means_the_same() {
        QFETCH(QString, folder);
        const std::filesystem::path path = folder.toStdString();
        const test::TemporaryFolder copy;
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.path().extension() == ".safetensors" || entry.path().filename() == "model.safetensors.index.json")
                std::filesystem::copy(entry.path(), copy.path() / entry.path().filename());
        std::filesystem::copy(path / "config.v4.json", copy.path() / "config.json");
        const auto ids = test::read_json(path / "expected.json")["input_ids"][1].get<std::vector<std::int64_t>>();
        const auto one = run(Model::open(path), {}, ids).logits, other = run(Model::open(copy.path()), {}, ids).logits;
        QVERIFY(at::equal(one, other));
    }

    void bfloat16_compute_stays_close_data() { computes_like_transformers_data(); }

    void bfloat16_compute_stays_close() {
        QFETCH(QString, folder);
        const auto model = Model::open(folder.toStdString());
        const json expected = test::read_json(std::filesystem::path(folder.toStdString()) / "expected.json");
        Progress progress;
        const auto windows = test::windows_of(expected["input_ids"]);
        const double exact = evaluate(model, std::vector<Variant>(1), windows, {}, 0, progress)[0].perplexity();
        const double rounded = evaluate(model, std::vector<Variant>(1), windows, {.dtype = "bfloat16"}, 0, progress)[0].perplexity();
        QVERIFY2(std::abs(rounded / exact - 1) < 0.05 && rounded != exact, qPrintable(QString::number(rounded / exact)));  // two digits
    }
};

SUTURE_SUITE(TestArchitectures)
#include "test_architectures.moc"
