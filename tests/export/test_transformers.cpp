// SPDX-License-Identifier: GPL-3.0-or-later
// Exported folders in real transformers: the same logits, the same greedy text with and without the cache. One Python process.
#include <QProcess>
#include <QtTest/QtTest>
#include <fstream>

#include "core/calibration/calibrate.h"
#include "core/checkpoint/checkpoint_writer.h"
#include "core/evaluation/evaluation.h"
#include "core/export/export.h"
#include "core/repair/forms.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"
#include "tests/support/windows.h"

using namespace suture;
using nlohmann::json;

namespace {

struct Case {
    std::filesystem::path folder;
    json ids, logits;  ///< [sequences][T], [sequences][T][V] as the variant in memory computes them
    bool patched = false;
};

using test::windows_of;

json logits_of(const std::shared_ptr<const Model>& model, const Variant& variant, const json& ids) {
    json all = json::array();
    for (const auto& sequence : ids) {
        Progress progress;
        const auto e =
            evaluate(model, std::vector{variant}, windows_of(json::array({sequence})), {}, std::int64_t(sequence.size()), progress)[0];
        all.push_back(e.to_json()["windows"][0]["logits"]);
    }
    return all;
}

struct Recipe {
    const char* kind;
    const char* form = "auto";
    bool every_cut = false;  ///< else only the first one of a checkpoint
};

/// Whatever a repair can be written as; "auto" is stock where the kind allows it.
const std::vector<Recipe> recipes{{"none", "auto", true},
                                  {"channel", "auto", true},
                                  {"linearpatch", "auto", true},
                                  {"ridge", "auto", true},
                                  {"ridge-normalised"},
                                  {"low-rank"},
                                  {"scalar"},
                                  {"scalar", "patched"},
                                  {"stock-layer"},
                                  {"fold"},
                                  {"refit"},
                                  {"cascade"},
                                  {"cascade-attention"},
                                  {"linearpatch", "rotated"},
                                  {"none", "rotated"}};

/// The reference checkpoint with an MLP twice as wide as its stream: neurons of zeros change nothing it computes.
std::filesystem::path widened(const std::string& name, const std::filesystem::path& out) {
    const auto source = Model::open(test::data("archs/" + name));
    const Architecture& a = source->architecture();
    const std::int64_t wide = 2 * a.hidden + 3;
    CheckpointWriter writer(out / ("wide-" + name));
    for (const TensorInfo& info : source->tensors().tensors()) {
        std::vector<float> values(std::size_t(info.elements()));
        std::memcpy(values.data(), source->tensors().bytes(info.name).data(), info.bytes);
        auto shape = info.shape;
        if (info.name.find("gate_proj.weight") != std::string::npos || info.name.find("up_proj.weight") != std::string::npos) {
            shape[0] = wide;
            values.resize(std::size_t(wide * a.hidden), 0.0F);
        } else if (info.name.find("down_proj.weight") != std::string::npos) {
            std::vector<float> rows;
            for (std::int64_t r = 0; r < a.hidden; ++r) {
                rows.insert(rows.end(), values.begin() + r * a.intermediate, values.begin() + (r + 1) * a.intermediate);
                rows.resize(std::size_t((r + 1) * wide), 0.0F);
            }
            values = std::move(rows);
            shape[1] = wide;
        }
        writer.add_tensor(info.name, info.dtype, shape,
                          [values](const CheckpointWriter::Sink& sink) { sink(std::as_bytes(std::span(values))); });
    }
    auto config = source->config();
    config["intermediate_size"] = wide;
    writer.add_text("config.json", config.dump());
    Progress progress;
    writer.commit(progress);
    std::filesystem::copy_file(test::data("archs/" + name) / "expected.json", out / ("wide-" + name) / "expected.json");
    return out / ("wide-" + name);
}

/// The cuts of a reference checkpoint with every repair and form that the family has.
void export_cases(const std::filesystem::path& checkpoint, const std::filesystem::path& out, std::vector<Case>& cases) {
    const std::string name = checkpoint.filename().string();
    const auto model = Model::open(checkpoint);
    const json expected = test::read_json(checkpoint / "expected.json");
    const json& ids = expected["input_ids"];
    Progress progress;
    const Statistics statistics = calibrate(model, windows_of(ids), {}, {}, progress);
    for (std::size_t i = 0; i < expected["prune"].size(); ++i)
        for (const Recipe& recipe : recipes) {
            if (i > 0 && !recipe.every_cut) continue;
            const LayerSet removed(expected["prune"][i]["remove"].get<std::vector<int>>());
            if (!repair_refusal(recipe.kind, *model, removed).empty()) continue;
            RepairSettings settings;
            settings.ridge = 1;  // few tokens: keep the least-squares patch tame
            const Repaired repaired = fit_repair(model, statistics, windows_of(ids), removed, recipe.kind, settings, {}, progress);
            const Form form = form_named(recipe.form, repaired);
            if (!form_refusal(*model, repaired, form).empty()) continue;
            Case c{.folder = out / (name + "-" + std::to_string(i) + "-" + recipe.kind + "-" + form_name(form)),
                   .ids = ids,
                   .logits = logits_of(model, repaired.variant, ids)};
            const ExportSettings written{.form = recipe.form};
            c.patched = plan_export(*model, repaired, c.folder, written).custom_code;
            QVERIFY2(c.patched == (form != Form::Stock && !repaired.variant.maps().empty()), c.folder.c_str());
            const auto result =
                export_variant(model, repaired, json::object(), c.folder, written, {}, ids[0].get<std::vector<std::int64_t>>(), progress);
            QVERIFY2(result.equal(), c.folder.c_str());
            cases.push_back(std::move(c));
        }
}

}  // namespace

class TestTransformers : public QObject {
    Q_OBJECT

    test::TemporaryFolder out_;
    std::vector<Case> cases_;
    json results_;

private Q_SLOTS:
    void initTestCase() {
        const std::string python = SUTURE_TEST_PYTHON;
        if (python.empty()) QSKIP("no Python with transformers was configured (SUTURE_TEST_PYTHON); tests/run makes one");
        for (const char* name : {"llama", "llama_tied_bias", "mistral", "qwen2", "qwen3", "smollm3", "phi3", "gemma", "gemma2"})
            export_cases(test::data(std::string("archs/") + name), out_.path(), cases_);
        for (const char* name : {"llama", "mistral", "qwen2"}) export_cases(widened(name, out_.path()), out_.path(), cases_);
        json spec = json::array();
        for (const Case& c : cases_)
            spec.push_back({{"folder", c.folder.string()},
                            {"trust_remote_code", c.patched},
                            {"ids", c.ids},
                            {"expected_logits", c.logits},
                            {"greedy", 8}});
        std::ofstream(out_.path() / "spec.json") << spec.dump();
        QProcess process;
        process.setProcessChannelMode(QProcess::SeparateChannels);
        process.start(QString::fromStdString(python),
                      {SUTURE_SOURCE "/tests/export/python/check_export.py", QString::fromStdString((out_.path() / "spec.json").string())});
        // Every form was met somewhere.
        for (const char* ending : {"-stock-layer-stock", "-scalar-stock", "-cascade-stock", "-linearpatch-rotated", "-low-rank-patched"})
            QVERIFY2(std::any_of(cases_.begin(), cases_.end(), [&](const Case& c) { return c.folder.string().ends_with(ending); }), ending);
        QVERIFY2(process.waitForFinished(800000) && process.exitCode() == 0, process.readAllStandardError().right(2000).constData());
        results_ = json::parse(process.readAllStandardOutput().toStdString());
        QCOMPARE(results_.size(), cases_.size());
    }

    void computes_the_same_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases_.size(); ++i) QTest::newRow(cases_[i].folder.filename().c_str()) << int(i);
    }

    void computes_the_same() {
        QFETCH(int, index);
        const json& r = results_[std::size_t(index)];
        QVERIFY2(!r.contains("error"), r.dump().c_str());
        for (const json& difference : r["max_abs_diff"]) QVERIFY2(difference.get<double>() < 1e-4, r["max_abs_diff"].dump().c_str());
        QCOMPARE(r["greedy_cached"], r["greedy"]);
        QVERIFY(r["missing_keys"].empty() && r["unexpected_keys"].empty() && r["mismatched_keys"].empty());
        QVERIFY2(r["resaved_max_abs_diff"].get<double>() < 1e-6, r["resaved_max_abs_diff"].dump().c_str());
        if (!cases_[std::size_t(index)].patched) return;
        QVERIFY(!r["patch_dtypes"].empty());
        for (const auto& [name, dtype] : r["patch_dtypes"].items()) QCOMPARE(dtype, json("float32"));
    }
};

SUTURE_SUITE(TestTransformers)
#include "test_transformers.moc"
