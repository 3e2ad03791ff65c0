// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs in the terminal: the recommendation, fine-tuning, forms of an export, ablations.
#include <QtTest/QtTest>
#include <fstream>

#include "tests/app/terminal.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

class TestTerminalRepairs : public QObject {
    Q_OBJECT
    test::TemporaryFolder folder_;

    QString path(const char* name) const { return QString::fromStdString((folder_.path() / name).string()); }
    json prune(const QStringList& arguments) const {
        const Run pruned = run(QStringList{"prune", stories, "--layers", "2", "--text", text, "--json", "-"} + small + arguments);
        if (pruned.exit != 0) qWarning("%s", qPrintable(pruned.err));
        return pruned.exit == 0 ? pruned.parsed() : json{{"exit", pruned.exit}};
    }

private Q_SLOTS:
    void every_kind_is_measured() {
        const json result = prune({"--repair", "none,scalar,channel,linearpatch,ridge,ridge-normalised,low-rank,fold,refit,cascade",
                                   "--evaluate", text, "--evaluate-windows", "4"});
        for (const char* key : {"none", "scalar", "d_ratio_of_sums", "linearpatch_ratio_of_sums", "ridge_0.01", "ridge-normalised_0.01",
                                "low-rank_64", "fold_0.01", "refit_0.01", "cascade_3_0.01"})
            QVERIFY2(result["variants"].contains(key) && result["variants"][key]["perplexity"].get<double>() > 1, key);
        QCOMPARE(result["variants"]["refit_0.01"]["edited_layers"], json({1}));
    }

    void auto_says_which_repair_is_best() {
        const json result = prune({"--repair", "auto"});
        const json& recommendation = result["recommendation"];
        QVERIFY(recommendation["trials"].size() >= 10);
        double best = recommendation["trials"][0]["perplexity"].get<double>();
        for (const json& trial : recommendation["trials"])
            if (trial["kind"] == recommendation["recommended"]) best = trial["perplexity"].get<double>();
        QVERIFY(best <= recommendation["trials"][0]["perplexity"].get<double>());
    }

    void fine_tuning_goes_on_top_of_a_repair() {
        const json result = prune({"--repair", "refit", "--finetune", "--ft-epochs", "2", "--ft-validation", "2", "--evaluate", text,
                                   "--evaluate-windows", "4", "--export", path("tuned")});
        QVERIFY2(result.contains("variants"), result.dump().c_str());
        const json& tuned = result["variants"]["refit_0.01_finetuned"];
        QVERIFY(tuned["perplexity"].get<double>() > 1 && tuned["finetuned"]["curve"].size() >= 2);
        QVERIFY(result["export"]["check"]["equal"].get<bool>());
        // A stock folder with the fine-tuned weights: no code of ours, and the perplexity that was measured in memory.
        QVERIFY(!std::filesystem::exists(folder_.path() / "tuned/modeling_suture.py"));
        const Run again = run(
            {"evaluate", path("tuned"), "--text", text, "--seqlen", "64", "--windows", "4", "--cache", "none", "--quiet", "--json", "-"});
        QCOMPARE(again.exit, 0);
        QVERIFY(std::abs(again.parsed()["perplexity"].get<double>() - tuned["perplexity"].get<double>()) < 1e-3);
    }

    void forms_of_an_export() {
        for (const auto& [repair, form, code] : {std::tuple{"scalar", "auto", false},
                                                 {"scalar", "patched", true},
                                                 {"linearpatch", "rotated", true},
                                                 {"none", "rotated", false}}) {
            const QString target = path((std::string(repair) + "-" + form).c_str());
            const json result = prune({"--repair", repair, "--form", form, "--export", target});
            QVERIFY2(result.contains("export") && result["export"]["check"]["equal"].get<bool>(), result.dump().c_str());
            QCOMPARE(std::filesystem::exists(target.toStdString() + "/modeling_suture.py"), code);
        }
        const Run refused = run(
            QStringList{"prune", stories, "--layers", "2", "--text", text, "--repair", "ridge", "--form", "stock", "--export", path("no")} +
            small);
        QCOMPARE(refused.exit, 3);
        QVERIFY2(refused.err.contains("no stock form"), qPrintable(refused.err));
    }

    void an_ablation_from_a_file() {
        std::ofstream(folder_.path() / "spec.json") << json{
            {"models", {stories.toStdString()}},
            {"calibration", {{{"name", "tales"}, {"text", text.toStdString()}, {"windows", 4}}}},
            {"evaluation", {{{"name", "tales"}, {"text", text.toStdString()}, {"windows", 4}}}},
            {"layers", {"2"}},
            {"repairs", {"none", "channel"}},
            {"settings", {{"windows", {{"seqlen", 64}}}}}}.dump();
        const Run ablated = run({"ablate", path("spec.json"), "--cache", "none", "--quiet", "--json", "-", "--markdown", path("t.md"),
                                 "--latex", path("t.tex")});
        QVERIFY2(ablated.exit == 0, qPrintable(ablated.err));
        QCOMPARE(ablated.parsed()["rows"].size(), std::size_t(3));
        for (const char* file : {"t.md", "t.tex"}) QVERIFY(std::filesystem::file_size(folder_.path() / file) > 100);
    }

    void generation_with_a_repair() {
        const Run told = run(QStringList{"generate", stories, "--prompt", "Once upon a time", "--max-tokens", "4", "--layers", "2",
                                         "--repair", "none,channel", "--text", text, "--json", "-"} +
                             small);
        QVERIFY2(told.exit == 0, qPrintable(told.err));
        QCOMPARE(told.parsed()["variants"].size(), std::size_t(3));
    }
};

SUTURE_SUITE(TestTerminalRepairs)
#include "test_terminal_repairs.moc"
