// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs in the terminal: the recommendation, fine-tuning, forms of an export, ablations.
#include <QRegularExpression>
#include <QtTest/QtTest>
#include <csignal>
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
        QCOMPARE(recommendation["recommended"], json("none"));  // 2 of 8 windows are held out
        QVERIFY(QString::fromStdString(recommendation["reason"]).contains("2 held-out windows are too few"));
    }

    void auto_tries_the_kinds_named_in_every_way() {
        const json result = prune({"--repair", "auto", "--auto-kinds", "channel,ridge", "--massive-each"});
        std::vector<std::string> tried;
        for (const json& trial : result["recommendation"]["trials"])
            tried.push_back(trial["kind"].get<std::string>() + " " + trial["massive"].get<std::string>());
        QCOMPARE(tried, (std::vector<std::string>{"none keep", "channel keep", "ridge keep", "ridge mask", "ridge weight"}));
    }

    void a_trained_scalar_stays_a_scalar() {
        const QStringList brief{"--repair",   "scalar",
                                "--finetune", "--ft-epochs",
                                "2",          "--ft-validation",
                                "2",          "--ft-batch",
                                "2",          "--ft-validate-every",
                                "2",          "--evaluate",
                                text,         "--evaluate-windows",
                                "4"};
        const json c = prune(brief + QStringList{"--export", path("c")});
        QVERIFY2(c.contains("export") && c["export"]["check"]["equal"].get<bool>(), c.dump().c_str());
        QVERIFY(!std::filesystem::exists(folder_.path() / "c/modeling_suture.py"));
        const json matrix = prune(brief + QStringList{"--ft-train", "matrix", "--export", path("m")});
        QVERIFY2(matrix.contains("export"), matrix.dump().c_str());
        QVERIFY(std::filesystem::exists(folder_.path() / "m/modeling_suture.py"));
        // Layers trained beside a scalar are in the stock folder.
        const json layers = prune(brief + QStringList{"--ft-train", "layers", "--export", path("l")});
        QVERIFY2(layers.contains("export"), layers.dump().c_str());
        const Run again =
            run({"evaluate", path("l"), "--text", text, "--seqlen", "64", "--windows", "4", "--cache", "none", "--quiet", "--json", "-"});
        const double tuned = layers["variants"]["scalar_finetuned"]["perplexity"].get<double>();
        QVERIFY(std::abs(tuned - layers["variants"]["scalar"]["perplexity"].get<double>()) > 1e-3);
        QVERIFY(std::abs(again.parsed()["perplexity"].get<double>() - tuned) < 1e-3);
    }

    void an_interrupt_keeps_what_was_trained() {
        QProcess process;
        process.start(SUTURE_BIN "/suture-cli", {"prune",
                                                 stories,
                                                 "--layers",
                                                 "2",
                                                 "--text",
                                                 text,
                                                 "--seqlen",
                                                 "64",
                                                 "--windows",
                                                 "8",
                                                 "--cache",
                                                 "none",
                                                 "--repair",
                                                 "ridge",
                                                 "--finetune",
                                                 "--ft-epochs",
                                                 "1000000",
                                                 "--ft-minutes",
                                                 "0",
                                                 "--ft-validation",
                                                 "2",
                                                 "--evaluate",
                                                 text,
                                                 "--evaluate-windows",
                                                 "4",
                                                 "--json",
                                                 path("stopped.json"),
                                                 "--export",
                                                 path("stopped")});
        QByteArray said;
        const auto trains = [&] { return (said += process.readAllStandardError()).contains("step 10 "); };
        QTRY_VERIFY_WITH_TIMEOUT(trains(), 60000);
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 4);
        const json result = test::read_json(folder_.path() / "stopped.json");
        QVERIFY(result["variants"]["ridge_0.01_finetuned"]["perplexity"].get<double>() > 1);
        QVERIFY(result["variants"]["ridge_0.01_finetuned"]["finetuned"]["curve"].size() >= 2);
        QVERIFY(std::filesystem::exists(folder_.path() / "stopped/config.json"));
        QVERIFY2(said.contains("training – "), said.constData());  // before the first step nothing was trained
    }

    void what_the_options_tell_is_refused_at_once_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* expected, const QStringList& arguments) {
            QTest::newRow(expected) << arguments << QString(expected);
        };
        row("no stock form", {"--repair", "ridge", "--form", "stock", "--export", "x"});
        row("not become simpler", {"--repair", "refit", "--form", "rotated", "--export", "x"});
        row("trained as a matrix", {"--repair", "scalar", "--form", "stock", "--export", "x", "--finetune", "--ft-train", "matrix"});
        row("give --export DIR too", {"--repair", "ridge", "--form", "patched"});
        row("no down projections", {"--repair", "ridge", "--finetune", "--ft-train", "down"});
        row("no factors d", {"--repair", "ridge", "--finetune", "--ft-train", "scale"});
        row("must be at least 1", {"--repair", "ridge", "--finetune", "--ft-top-k", "0"});
        row("top K of at least 2", {"--repair", "ridge", "--finetune", "--ft-top-k", "1", "--ft-target", "renormalised"});
        row("--rank 0", {"--repair", "low-rank", "--rank", "0"});
        row("leave out the others", {"--repair", "auto,ridge"});
        row("give that too", {"--repair", "ridge", "--auto-kinds", "ridge"});
        row("no repair is always tried", {"--repair", "auto", "--auto-kinds", "none,ridge"});
        row("no repair named", {"--repair", "auto", "--auto-kinds", "rigde"});
    }
    void what_the_options_tell_is_refused_at_once() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, expected);
        arguments.replaceInStrings(QRegularExpression("^x$"), path("refused"));
        // Without a text nothing can be run, so that the refusal is known to come first.
        const Run refused = run(QStringList{"prune", stories, "--layers", "2", "--cache", "none"} + arguments);
        QVERIFY2(refused.exit == 2 || refused.exit == 3, qPrintable(refused.err));
        QVERIFY2(refused.err.contains(expected), qPrintable(refused.err));
    }

    void remarks_on_standard_error() {
        const Run told = run({"prune",      stories,   "--layers",
                              "2",          "--text",  text,
                              "--seqlen",   "64",      "--windows",
                              "8",          "--cache", "none",
                              "--repair",   "ridge",   "--ridge-search",
                              "--evaluate", text,      "--evaluate-windows",
                              "2",          "--json",  "-"});
        QCOMPARE(told.exit, 0);
        QVERIFY2(told.err.contains("is calibrated on and evaluated on"), qPrintable(told.err));
        char chosen[64];
        std::snprintf(chosen, sizeof chosen, "ridge: λ %g chosen",
                      told.parsed()["variants"]["ridge_auto"]["patches"][0]["ridge"].get<double>());
        QVERIFY2(told.err.contains(chosen), qPrintable(told.err));
    }

    void a_training_that_gains_nothing_leaves_the_fit_on_all_windows() {
        const json result = prune({"--repair", "ridge", "--finetune", "--ft-learning-rate", "1e-30", "--ft-validation", "2", "--evaluate",
                                   text, "--evaluate-windows", "4", "--export", path("untouched")});
        const json& fit = result["variants"]["ridge_0.01"];
        const json& tuned = result["variants"]["ridge_0.01_finetuned"];
        QCOMPARE(tuned["perplexity"], fit["perplexity"]);
        QVERIFY(fit["relative_error"].is_number());
        QCOMPARE(tuned["relative_error"], fit["relative_error"]);
        const std::string card = test::read_file(folder_.path() / "untouched/README.md");
        QVERIFY2(card.find("ridge_0.01_finetuned (this folder)") != std::string::npos, card.c_str());
        QVERIFY(card.find("was then fine-tuned") == std::string::npos);
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
        QVERIFY(test::read_file(folder_.path() / "tuned/README.md").find("was then fine-tuned") != std::string::npos);
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
        for (const char* option : {"--markdown", "--latex", "--json"}) {
            const Run refused = run({"ablate", path("spec.json"), "--cache", "none", option, path("absent/t")});
            QCOMPARE(refused.exit, 3);
            QVERIFY2(refused.err.contains("the folder does not exist") && !refused.err.contains("rows, each"), qPrintable(refused.err));
        }
        for (const char* file : {"t.md", "t.tex"}) QVERIFY(std::filesystem::file_size(folder_.path() / file) > 100);
    }

    void an_ablation_tells_that_json_lines_are_read_raw() {
        const auto told = [&](json settings) {
            std::ofstream(folder_.path() / "t.jsonl") << json{{"text", std::string(300, 'a') + " girl"}}.dump() << "\n";
            const json texts{{{"name", "t"}, {"text", "t.jsonl"}, {"windows", 1}}};
            settings["seqlen"] = 16;
            std::ofstream(folder_.path() / "raw.json") << json{
                {"models", {stories.toStdString()}},
                {"calibration", texts},
                {"evaluation", texts},
                {"layers", {"2"}},
                {"repairs", {"none"}},
                {"settings", {{"windows", settings}}}}.dump();
            const Run ablated = run({"ablate", path("raw.json"), "--cache", "none"});
            return std::pair(ablated.exit, ablated.err);
        };
        const auto raw = told(json::object()), field = told({{"text_field", "text"}});
        QVERIFY2(raw.first == 0 && field.first == 0, qPrintable(raw.second + field.second));
        QCOMPARE(raw.second.count("t.jsonl is read as it stands"), 1);
        QVERIFY2(!field.second.contains("read as it stands"), qPrintable(field.second));
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
