// SPDX-License-Identifier: GPL-3.0-or-later
// Exported folders: what is in them, what they compute, and what is refused.
#include <QtTest/QtTest>
#include <fstream>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/evaluation/evaluation.h"
#include "core/export/export.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

/// A repair with a made-up dense P, d and bias at every seam.
Repaired made_up_repair(const Model& model, const LayerSet& removed) {
    const std::int64_t c = model.architecture().hidden;
    Repaired repaired = no_repair(removed);
    repaired.kind = "ridge";
    int number = 0;
    for (const Seam& seam : seams_of(removed)) {
        StreamMap map{.kind = ++number % 2 ? "ridge" : "channel"};
        if (number % 2) {
            map.matrix = Array<float>({c, c});
            for (std::int64_t i = 0; i < c; ++i)
                for (std::int64_t j = 0; j < c; ++j) map.matrix.at(i, j) = float(i == j) + 0.01F * float((i * 7 + j * 3) % 5);
            map.bias = Array<float>({c}, 0.125F);
        } else {
            map.scale = Array<double>({c}, 1.25);
        }
        Patch patch{.seam = seam, .kind = map.kind, .map = std::make_shared<const StreamMap>(std::move(map))};
        repaired.variant = repaired.variant.with_map(seam.end, patch.map);
        repaired.patches.push_back(std::move(patch));
    }
    return repaired;
}

Windows one_window(const json& ids) {
    Windows windows;
    windows.ids = {ids.get<std::vector<std::int64_t>>()};
    windows.counted = {std::vector<bool>(windows.ids[0].size(), true)};
    return windows;
}

}  // namespace

class TestExport : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_family_reads_back_equal_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs")))
            QTest::newRow(entry.path().filename().c_str()) << QString(entry.path().c_str());
    }

    void every_family_reads_back_equal() {
        QFETCH(QString, folder);
        const auto model = Model::open(folder.toStdString());
        const json expected = test::read_json(std::filesystem::path(folder.toStdString()) / "expected.json");
        const auto ids = expected["input_ids"][1].get<std::vector<std::int64_t>>();
        const test::TemporaryFolder out;
        Progress progress;
        for (std::size_t i = 0; i < expected["prune"].size(); ++i) {
            const json& cut = expected["prune"][i];
            const LayerSet removed(cut["remove"].get<std::vector<int>>());
            const auto target = out.path() / std::to_string(i);
            const ExportResult stock = export_variant(model, no_repair(removed), json::object(), target, {}, {}, ids, progress);
            QVERIFY(stock.equal() && stock.largest_logit_difference < 1e-6);
            const auto read_back = Model::open(target);
            QCOMPARE(std::int64_t(read_back->tensors().tensors().size()), cut["n_tensors"].get<std::int64_t>());
            QCOMPARE(read_back->parameters(), cut["n_params"].get<std::int64_t>());
            // The written folder computes what transformers computed for the same cut.
            const auto scored = evaluate(read_back, std::vector<Variant>(1), one_window(expected["input_ids"][0]), {}, 0, progress)[0];
            QVERIFY(std::abs(scored.nll_sum() - cut["nll"][0]["sum"].get<double>()) < 1e-3);
            const ExportResult patched = export_variant(model, made_up_repair(*model, removed), json::object(),
                                                        out.path() / ("patched" + std::to_string(i)), {}, {}, ids, progress);
            QVERIFY2(patched.equal(), qPrintable(QString::number(patched.largest_logit_difference)));
        }
    }

    void kept_tensors_are_byte_identical() {
        const auto model = Model::open(test::data("archs/llama_bf16"));
        const test::TemporaryFolder out;
        Progress progress;
        export_variant(model, no_repair(LayerSet({1, 2})), json::object(), out.path() / "x", {.shard_gb = 0.00002}, {}, {5, 6, 7},
                       progress);
        const auto written = Model::open(out.path() / "x");
        QVERIFY(written->tensors().files().size() > 1);  // sharded by the size limit
        QVERIFY(std::filesystem::exists(out.path() / "x/model.safetensors.index.json"));
        const auto same = [&](const std::string& from, const std::string& to) {
            const auto a = model->tensors().bytes(from), b = written->tensors().bytes(to);
            return std::equal(a.begin(), a.end(), b.begin(), b.end()) &&
                   model->tensors().info(from).dtype == written->tensors().info(to).dtype;
        };
        QVERIFY(same("model.layers.3.mlp.down_proj.weight", "model.layers.1.mlp.down_proj.weight"));
        QVERIFY(same("model.embed_tokens.weight", "model.embed_tokens.weight"));
    }

    void side_files_are_copied_and_the_card_is_written() {
        const auto source = test::data("models/stories260K-hf");
        const auto model = Model::open(source);
        const test::TemporaryFolder out;
        Progress progress;
        const json report{{"chosen", "layer 3 (1 of 5), best by Cosine block"}, {"results", {{{"name", "dense"}, {"perplexity", 5.5}}}}};
        export_variant(model, no_repair(LayerSet({3})), report, out.path() / "x", {}, {}, {1, 2, 3}, progress);
        for (const char* file : {"tokenizer.json", "tokenizer.model", "tokenizer_config.json"})
            QCOMPARE(sha256_file(out.path() / "x" / file), sha256_file(source / file));
        QVERIFY(!std::filesystem::exists(out.path() / "x/expected_greedy.json"));
        std::stringstream card;
        card << std::ifstream(out.path() / "x/README.md").rdbuf();
        QVERIFY(card.str().find("without 1 of 5 layers") != std::string::npos &&
                card.str().find("best by Cosine block") != std::string::npos);
        QCOMPARE(test::read_json(out.path() / "x/suture.json")["removed"], json({3}));
    }

    void a_contradictory_generation_config_is_copied_with_a_warning() {
        const test::TemporaryFolder folder;
        std::filesystem::copy(test::data("archs/llama"), folder.path() / "m", std::filesystem::copy_options::recursive);
        const auto model = Model::open(folder.path() / "m");
        const auto warnings = [&] { return plan_export(*model, no_repair(LayerSet({1})), folder.path() / "x", {}).warnings; };
        const auto before = warnings().size();
        std::ofstream(folder.path() / "m/generation_config.json") << "{\"do_sample\": false, \"temperature\": 0.9}";
        QCOMPARE(warnings().size(), before + 1);
        Progress progress;
        export_variant(model, no_repair(LayerSet({1})), json::object(), folder.path() / "x", {}, {}, {5}, progress);
        QCOMPARE(sha256_file(folder.path() / "x/generation_config.json"), sha256_file(folder.path() / "m/generation_config.json"));
    }

    void the_source_is_sacred() {
        const test::TemporaryFolder folder;
        std::filesystem::copy(test::data("archs/llama"), folder.path() / "source", std::filesystem::copy_options::recursive);
        const auto model = Model::open(folder.path() / "source");
        const auto before = sha256_file(folder.path() / "source/model.safetensors");
        std::filesystem::create_directory_symlink(folder.path() / "source", folder.path() / "link");
        Progress progress;
        for (const char* target : {"source", "link", "source/inside", "."})
            QVERIFY_EXCEPTION_THROWN(export_variant(model, no_repair(LayerSet({1})), json::object(), folder.path() / target,
                                                    {.overwrite = true}, {}, {5}, progress),
                                     Error);
        QCOMPARE(sha256_file(folder.path() / "source/model.safetensors"), before);
    }

    void a_cancelled_export_leaves_nothing() {
        const auto model = Model::open(test::data("archs/llama"));
        const test::TemporaryFolder out;
        std::stop_source stop;
        Progress progress(stop.get_token(), [&](const ProgressReport& report) {
            if (report.stage != "Checking the export" && report.done > 0 && std::filesystem::exists(out.path()) &&
                !std::filesystem::is_empty(out.path()))
                stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(export_variant(model, no_repair(LayerSet({1})), json::object(), out.path() / "x", {}, {}, {5}, progress),
                                 Cancelled);
        QVERIFY(std::filesystem::is_empty(out.path()));
    }
};

SUTURE_SUITE(TestExport)
#include "test_export.moc"
