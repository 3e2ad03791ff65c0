// SPDX-License-Identifier: GPL-3.0-or-later
// Exported folders in real transformers: the same logits, the same greedy text with and without the cache. One Python process.
#include <QProcess>
#include <QtTest/QtTest>
#include <fstream>

#include "core/calibration/calibrate.h"
#include "core/evaluation/evaluation.h"
#include "core/export/export.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

struct Case {
    std::filesystem::path folder;
    json ids, logits;  ///< [sequences][T], [sequences][T][V] as the variant in memory computes them
    bool patched = false;
};

Windows windows_of(const json& ids) {
    Windows windows;
    windows.ids = ids.get<std::vector<std::vector<std::int64_t>>>();
    for (const auto& window : windows.ids) windows.counted.emplace_back(window.size(), true);
    return windows;
}

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

/// Every cut of a reference checkpoint, bare and with a patch per seam.
void export_cases(const std::string& name, const std::filesystem::path& out, std::vector<Case>& cases) {
    const auto model = Model::open(test::data("archs/" + name));
    const json expected = test::read_json(test::data("archs/" + name) / "expected.json");
    const json& ids = expected["input_ids"];
    Progress progress;
    const Statistics statistics = calibrate(model, windows_of(ids), {}, {}, progress);
    for (std::size_t i = 0; i < expected["prune"].size(); ++i)
        for (const char* kind : {"none", "channel", "linearpatch", "ridge"}) {
            const LayerSet removed(expected["prune"][i]["remove"].get<std::vector<int>>());
            RepairSettings settings;
            settings.ridge = 1;  // few tokens: keep the least-squares patch tame
            const Repaired repaired = fit_repair(model, statistics, windows_of(ids), removed, kind, settings, {}, progress);
            Case c{out / (name + "-" + std::to_string(i) + "-" + kind), ids, logits_of(model, repaired.variant, ids),
                   !repaired.patches.empty()};
            export_variant(model, repaired, json::object(), c.folder, {}, {}, ids[0].get<std::vector<std::int64_t>>(), progress);
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
        for (const char* name : {"llama", "mistral", "qwen2", "qwen3", "smollm3", "phi3", "gemma", "gemma2"})
            export_cases(name, out_.path(), cases_);
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
