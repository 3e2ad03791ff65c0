// SPDX-License-Identifier: GPL-3.0-or-later
// What is refused, and how it is said. Each case edits one thing of a good checkpoint.
#include <QtTest/QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/model/model.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

/// A copy of a reference checkpoint whose config.json can be edited.
class Copy {
public:
    explicit Copy(const std::string& name) {
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs/" + name)))
            std::filesystem::copy(entry.path(), folder_.path() / entry.path().filename());
    }
    void set(const std::string& key, const json& value) {
        json config = test::read_json(folder_.path() / "config.json");
        config[key] = value;
        std::ofstream(folder_.path() / "config.json") << config.dump();
    }
    void erase(const std::string& key) {
        json config = test::read_json(folder_.path() / "config.json");
        config.erase(key);
        std::ofstream(folder_.path() / "config.json") << config.dump();
    }
    std::shared_ptr<const Model> open() const { return Model::open(folder_.path()); }
    QString refusal() const {
        try {
            open();
        } catch (const Error& error) {
            return QString(error.what()) + "\n" + QString::fromStdString(error.details());
        }
        return {};
    }
    const std::filesystem::path& path() const { return folder_.path(); }

private:
    test::TemporaryFolder folder_;
};

}  // namespace

class TestOpening : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void names_what_it_refuses_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("architecture") << "model_type"
                                      << "\"mamba\""
                                      << "\"mamba\" (LlamaForCausalLM) is not supported; supported are";
        QTest::newRow("no architecture") << "model_type"
                                         << "null"
                                         << "\"model_type\" is missing";
        QTest::newRow("quantised") << "quantization_config"
                                   << R"({"quant_method": "gptq"})"
                                   << "quantised with gptq";
        QTest::newRow("more layers in the file") << "num_hidden_layers"
                                                 << "3"
                                                 << "hold layers 0 to 4, but config.json says num_hidden_layers 3";
        QTest::newRow("fewer layers in the file") << "num_hidden_layers"
                                                  << "6"
                                                  << "tensors are missing: model.layers.5.input_layernorm.weight";
        QTest::newRow("too many layers") << "num_hidden_layers"
                                         << "100000000000"
                                         << "beyond any model";
        QTest::newRow("short layer types") << "layer_types"
                                           << "[\"full_attention\"]"
                                           << "has 1 entries for 5 layers";
        QTest::newRow("unknown layer type") << "layer_types"
                                            << "[\"a\", \"b\", \"c\", \"d\", \"e\"]"
                                            << "layer type \"a\" of layer 0 is not supported";
        QTest::newRow("size") << "intermediate_size"
                              << "64"
                              << "has shape [48, 32], config.json asks for [64, 32]";
        QTest::newRow("type") << "hidden_size"
                              << "\"many\""
                              << "\"hidden_size\" should be a whole number, not \"many\"";
        QTest::newRow("zero") << "num_attention_heads"
                              << "0"
                              << "must be at least 1";
        QTest::newRow("heads") << "num_key_value_heads"
                               << "3"
                               << "no multiple of num_key_value_heads 3";
        QTest::newRow("activation") << "hidden_act"
                                    << "\"relu6\""
                                    << "activation \"relu6\" is not supported";
        QTest::newRow("rope") << "rope_parameters"
                              << R"({"rope_type": "longrope"})"
                              << "rotary type \"longrope\" is not supported";
        QTest::newRow("two rope types") << "rope_parameters"
                                        << R"({"rope_type": "linear", "type": "yarn", "factor": 2})"
                                        << "names two types";
        QTest::newRow("factor") << "rope_parameters"
                                << R"({"rope_type": "linear"})"
                                << "\"factor\" is missing";
    }

    void names_what_it_refuses() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, expected);
        Copy copy("llama");
        copy.set(key.toStdString(), json::parse(value.toStdString()));
        const QString refusal = copy.refusal();
        QVERIFY2(refusal.contains(expected), qPrintable(refusal));
        QVERIFY2(refusal.contains(QString::fromStdString(copy.path().string())), qPrintable(refusal));
    }

    void a_missing_head_is_named() {
        Copy copy("qwen3");  // tied: the file has no head
        copy.set("tie_word_embeddings", false);
        QVERIFY2(copy.refusal().contains("no output head (lm_head.weight)"), qPrintable(copy.refusal()));
    }

    void a_tied_flag_wins_over_another_stored_head() {
        Copy copy("llama");
        copy.set("tie_word_embeddings", true);
        const auto model = copy.open();
        QCOMPARE(model->warnings().size(), std::size_t(1));
        QVERIFY(QString::fromStdString(model->warnings()[0]).contains("the embeddings are used"));
    }

    void tensors_that_the_family_lacks_are_refused() {
        Copy copy("qwen3");
        copy.set("model_type", "llama");
        QVERIFY2(copy.refusal().contains("self_attn.k_norm.weight"), qPrintable(copy.refusal()));
    }

    void lists_longer_than_the_model_warn() {
        Copy copy("gemma2");
        auto types = test::read_json(copy.path() / "config.json")["layer_types"];
        types.push_back("full_attention");
        copy.set("layer_types", types);
        QCOMPARE(copy.open()->warnings().size(), std::size_t(1));
        types.erase(0);
        types.erase(0);
        copy.set("layer_types", types);
        QVERIFY2(copy.refusal().contains("has 5 entries for 6 layers"), qPrintable(copy.refusal()));
    }

    void theta_is_found_in_each_spelling() {
        Copy copy("llama");
        copy.set("rope_parameters", {{"rope_type", "default"}, {"rope_theta", 5000.0}});
        copy.set("rope_theta", 7.0);
        QCOMPARE(copy.open()->architecture().rope.theta, 5000.0);
        copy.erase("rope_parameters");
        QCOMPARE(copy.open()->architecture().rope.theta, 7.0);
        copy.erase("rope_theta");
        QCOMPARE(copy.open()->architecture().rope.theta, 10000.0);
        copy.set("rope_scaling", {{"type", "linear"}, {"factor", 2.0}});
        QCOMPARE(copy.open()->architecture().rope.type, std::string("linear"));
    }

    void identity_follows_the_files() {
        Copy copy("llama");
        const auto before = copy.open();
        QCOMPARE(Copy("llama").open()->identity(), before->identity());
        copy.set("rms_norm_eps", 1e-5);
        QVERIFY(copy.open()->identity() != before->identity());
    }

    void inspection_tells_why_not() {
        Copy copy("llama");
        const json good = inspect_model(copy.path(), "none");
        QCOMPARE(good["supported"], json(true));
        QCOMPARE(good["layers"], json(5));
        QCOMPARE(good["parameters"], json(44896));
        QCOMPARE(good["dtype"], json("float32"));
        copy.set("model_type", "mamba");
        const json bad = inspect_model(copy.path(), "none");
        QCOMPARE(bad["supported"], json(false));
        QCOMPARE(bad["model_type"], json("mamba"));
        QVERIFY(bad["reason"].get<std::string>().find("not supported") != std::string::npos);
    }
};

SUTURE_SUITE(TestOpening)
#include "test_opening.moc"
