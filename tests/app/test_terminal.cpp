// SPDX-License-Identifier: GPL-3.0-or-later
// suture-cli as other programs meet it: options, JSON, exit codes, signals.
#include <QProcess>
#include <QtTest/QtTest>
#include <csignal>

#include "tests/app/terminal.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

class TestTerminal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void helps() {
        QCOMPARE(run({"--version"}).exit, 0);
        for (const char* command : {"inspect", "analyze", "prune", "evaluate"}) {
            const Run help = run({command, "--help"});
            QCOMPARE(help.exit, 0);
            QVERIFY(help.out.contains("--json"));
        }
        const Run prune = run({"prune", "--help"});
        for (const char* word : {"linearpatch", "cosine-token-axis", "--definition", "--fit", "GB", "Tokens per window", "=512"})
            QVERIFY2(prune.out.contains(word), word);
    }

    void wrong_use_is_2_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing") << QStringList{} << "subcommand is required";
        QTest::newRow("no model") << QStringList{"inspect"} << "model is required";
        QTest::newRow("unknown option") << QStringList{"inspect", stories, "--magic"} << "--magic";
        QTest::newRow("no cut") << QStringList{"prune", stories} << "exactly one of --remove N, --layers LIST";
        QTest::newRow("two cuts") << QStringList{"prune", stories, "--remove", "1", "--layers", "2"} << "exactly one of";
        QTest::newRow("bad list") << QStringList{"prune", stories, "--layers", "3-1"} << "layer list \"3-1\"";
        QTest::newRow("all layers") << QStringList{"prune", stories, "--layers", "0-4"} << "at least one must be kept";
        QTest::newRow("no text") << QStringList{"prune", stories, "--remove", "1"}
                                 << "--text FILE (or --ids FILE) is needed to choose layers";
        QTest::newRow("no text for a repair") << QStringList{"prune", stories, "--layers", "2", "--repair", "channel"}
                                              << "is needed to fit a repair";
        QTest::newRow("repair") << QStringList{"prune", stories, "--layers", "2", "--repair", "magic"}
                                << "no repair named \"magic\"; known are none";
        QTest::newRow("criterion") << QStringList{"prune", stories, "--remove", "1", "--text", text, "--criterion", "magic"} + small
                                   << "no criterion named \"magic\"";
        QTest::newRow("too many") << QStringList{"prune", stories, "--remove", "4", "--text", text} + small << "1 to 3 can go";
        QTest::newRow("nan") << QStringList{"prune", stories, "--layers", "2", "--ridge", "nan"} << "no number of 0 or more";
        QTest::newRow("no repair") << QStringList{"prune", stories, "--layers", "2", "--repair", ","} << "names no repair";
        QTest::newRow("twice") << QStringList{"prune", stories, "--layers", "2", "--repair", "none,none"} << "none twice";
        QTest::newRow("export of another repair")
            << QStringList{"prune", stories, "--layers", "2", "--export-repair", "ridge"} << "is not among the repairs";
        QTest::newRow("both texts") << QStringList{"evaluate", stories, "--text", text, "--ids", text} << "not both";
        QTest::newRow("shots of no task") << QStringList{"evaluate", stories, "--text", text, "--fewshot", "3"}
                                          << "--fewshot has no effect without --tasks";
        QTest::newRow("limit of no task") << QStringList{"prune", stories, "--layers", "2", "--limit", "3"}
                                          << "--limit has no effect without --evaluate-tasks";
        QTest::newRow("harness of no task") << QStringList{"evaluate", stories, "--text", text, "--harness-json", "x.json"}
                                            << "--harness-json has no effect without --tasks";
        QTest::newRow("rolling of no text") << QStringList{"evaluate", stories, "--text", text, "--rolling-limit", "3"}
                                            << "--rolling-limit has no effect without --rolling";
        QTest::newRow("one token") << QStringList{"evaluate", stories, "--text", text, "--seqlen", "1"}
                                   << "--seqlen 1: a window of one token";
        QTest::newRow("dtype") << QStringList{"evaluate", stories, "--text", text, "--dtype", "float8"} << "float8";
    }
    void wrong_use_is_2() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, expected);
        const Run found = run(arguments);
        QVERIFY2(found.err.contains(expected) || found.out.contains(expected), qPrintable(found.err + found.out));
        QCOMPARE(found.exit, 2);
    }

    void a_negative_number_is_told_in_short() {
        const Run found = run({"evaluate", stories, "--text", text, "--windows", "-1"});
        QCOMPARE(found.exit, 2);
        QVERIFY2(found.err.contains("\"-1\" is no number of 0 or more") && found.err.size() < 200, qPrintable(found.err));
    }

    void bad_input_is_3() {
        const Run model = run({"inspect", "no-such-folder"});
        QCOMPARE(model.exit, 3);
        QVERIFY2(model.err.contains("no-such-folder"), qPrintable(model.err));
        const Run file = run(QStringList{"evaluate", stories, "--text", "no-such-file.txt"} + small);
        QCOMPARE(file.exit, 3);
        QVERIFY2(file.err.contains("no-such-file.txt") && file.err.count('\n') == 1, qPrintable(file.err));
        const Run memory = run(QStringList{"evaluate", stories, "--text", text, "--memory", "0.01"} + small);
        QCOMPARE(memory.exit, 3);
        QVERIFY2(memory.err.contains("--memory allows 0.01"), qPrintable(memory.err));
        QCOMPARE(run(QStringList{"evaluate", stories, "--text", text, "--json", "/nonexistent/x.json"} + small).exit, 3);
        const Run source = run(QStringList{"prune", stories, "--layers", "2", "--export", stories, "--overwrite"});
        QCOMPARE(source.exit, 3);
    }

    void inspect_speaks_the_contract() {
        const json facts = run({"inspect", stories, "--json", "-"}).parsed();
        for (const char* key : {"model_type", "architecture", "layers", "hidden_size", "parameters", "dtype", "bytes", "vocab_size", "tied",
                                "tokenizer", "supported", "reason"})
            QVERIFY2(facts.contains(key), key);
        QCOMPARE(facts["layers"], json(5));
        QCOMPARE(facts["supported"], json(true));
    }

    void analyze_speaks_the_contract() {
        const json found = run(QStringList{"analyze", stories, "--text", text, "--remove", "1,2", "--json", "-"} + small).parsed();
        for (const char* key :
             {"layers", "hidden_size", "seqlen", "n_calibration", "calibration_ids_first_window", "mean_abs_per_channel",
              "token_l2_first_window", "token_mean_abs_first_window", "cosine_token_matrix", "block_influence", "prune", "conditions"})
            QVERIFY2(found.contains(key), key);
        QCOMPARE(found["prune"].size(), std::size_t(2));
        QCOMPARE(found["prune"][1]["n"], json(2));
        for (const char* key : {"cosine_token", "cosine_channel_axis", "angular_last_token", "start_cosine_token",
                                "start_cosine_channel_axis", "start_angular", "removed"})
            QVERIFY2(found["prune"][0].contains(key), key);
        QVERIFY(!found["prune"][0].contains("variants"));
    }

    void the_whole_job_in_one_command() {
        const test::TemporaryFolder out;
        const QString target = QString::fromStdString((out.path() / "pruned").string());
        const Run job = run(QStringList{"prune",
                                        stories,
                                        "--remove",
                                        "1",
                                        "--text",
                                        text,
                                        "--repair",
                                        "none,scalar,channel,linearpatch",
                                        "--definition",
                                        "script",
                                        "--evaluate",
                                        text,
                                        "--evaluate-windows",
                                        "8",
                                        "--export",
                                        target,
                                        "--export-repair",
                                        "channel",
                                        "--json",
                                        "-"} +
                            small);
        QCOMPARE(job.exit, 0);
        const json found = job.parsed();
        QCOMPARE(found["kept"].size(), std::size_t(4));
        QCOMPARE(found["seams"].size(), std::size_t(1));
        for (const char* key : {"none", "scalar", "d_mean_of_ratios", "linearpatch_mean_of_ratios"}) {
            QVERIFY2(found["variants"].contains(key), key);
            QCOMPARE(found["variants"][key]["windows"].size(), std::size_t(8));
            QCOMPARE(found["variants"][key]["tokens"], json(8 * 63));
            QVERIFY(found["variants"][key].contains("interval"));
            const json& ratio = found["variants"][key]["ratio_interval"];  // paired: it holds the ratio of the same windows
            const double times = found["variants"][key]["perplexity"].get<double>() / found["dense"]["perplexity"].get<double>();
            QVERIFY2(ratio.is_array() && ratio[0].get<double>() <= times && times <= ratio[1].get<double>(), key);
        }
        QCOMPARE(found["variants"]["d_mean_of_ratios"]["d"].size(), std::size_t(64));
        QVERIFY(found["export"]["check"]["equal"].get<bool>());
        // The exported folder, opened by the same program, has the variant's perplexity.
        const json again = run(QStringList{"evaluate", target, "--text", text, "--json", "-"} + small).parsed();
        QVERIFY(std::abs(again["perplexity"].get<double>() / found["variants"]["d_mean_of_ratios"]["perplexity"].get<double>() - 1) < 1e-5);
        QCOMPARE(run({"prune", stories, "--layers", "2", "--export", target, "--quiet"}).exit, 3);  // it exists
        QCOMPARE(run({"prune", stories, "--layers", "2", "--export", target, "--overwrite", "--quiet"}).exit, 0);
        std::ofstream(out.path() / "pruned/mynotes.txt") << "keep me";  // a file of the user's own is never replaced
        const Run notes = run({"prune", stories, "--layers", "2", "--export", target, "--overwrite", "--quiet"});
        QCOMPARE(notes.exit, 3);
        QVERIFY2(notes.err.contains("mynotes.txt"), qPrintable(notes.err));
        QVERIFY(std::filesystem::exists(out.path() / "pruned/mynotes.txt"));
    }

    void tasks_of_every_variant() {
        const test::TemporaryFolder out;
        const auto path = [&](const char* name) { return QString::fromStdString((out.path() / name).string()); };
        std::ofstream questions(out.path() / "mine.jsonl");
        for (const char* name : {"Lily", "Tom", "Ben"})
            questions << json{{"context", "Once there was a child named"}, {"choices", {name, "x"}}, {"gold", 0}}.dump() << "\n";
        questions.close();
        const Run pruned = run({"prune", stories, "--layers", "2", "--evaluate-tasks", " jsonl:mine.jsonl ", "--data", path(""), "--limit",
                                "2", "--cache", "none", "--csv", path("csv"), "--harness-json", path("h.json")});
        QVERIFY2(pruned.exit == 0, qPrintable(pruned.err));
        QVERIFY2(pruned.err.contains("the first 2 questions of each task; BOS in front: never"), qPrintable(pruned.err));
        QVERIFY2(pruned.out.contains("± stderr"), qPrintable(pruned.out));
        QVERIFY(std::filesystem::exists(out.path() / "csv/task-scores-with-their-errors.csv"));
        QVERIFY(!std::filesystem::exists(out.path() / "h.json"));
        const json dense = test::read_json(out.path() / "h_dense.json"), cut = test::read_json(out.path() / "h_none.json");
        QCOMPARE(dense["model_name"], json("stories260K-hf, dense"));
        QCOMPARE(cut["model_name"], json("stories260K-hf, none"));
        QVERIFY(dense["config"]["suture"]["variant"] != cut["config"]["suture"]["variant"]);
        QCOMPARE(cut["configs"]["mine"]["suture"]["limit"], json(2));
    }

    void tables_go_to_csv() {
        const test::TemporaryFolder out;
        QCOMPARE(run(QStringList{"analyze", stories, "--text", text, "--remove", "1", "--csv",
                                 QString::fromStdString((out.path() / "t").string())} +
                     small)
                     .exit,
                 0);
        std::ifstream file(out.path() / "t/best-1-of-5-to-remove.csv");
        std::string head;
        std::getline(file, head);
        QCOMPARE(head, std::string("criterion,removes layers,score\r"));
    }

    void token_ids_need_no_tokenizer() {
        const test::TemporaryFolder folder;
        const auto model = folder.path() / "m";
        std::filesystem::create_directory(model);
        for (const char* file : {"config.json", "model.safetensors"})
            std::filesystem::copy(test::data("models/stories260K-hf") / file, model / file);
        std::ofstream(folder.path() / "ids.json") << "[[1,403,407,261,378,432],[383,286,261]]";
        const QString path = QString::fromStdString(model.string()), ids = QString::fromStdString((folder.path() / "ids.json").string());
        const json found = run({"evaluate", path, "--ids", ids, "--logits", "2", "--cache", "none", "--quiet", "--json", "-"}).parsed();
        QCOMPARE(found["tokens"], json(7));
        QCOMPARE(found["windows"][1]["logits"].size(), std::size_t(2));
        const Run words = run({"evaluate", path, "--text", text, "--quiet"});
        QCOMPARE(words.exit, 3);
        QVERIFY2(words.err.contains("give token ids instead"), qPrintable(words.err));
        std::ofstream(folder.path() / "ids.json") << "[[1,512]]";
        QCOMPARE(run({"evaluate", path, "--ids", ids, "--quiet"}).exit, 3);
    }

    void results_are_kept_and_reopened() {
        const test::TemporaryFolder cache;
        const QStringList arguments{"analyze",
                                    stories,
                                    "--text",
                                    text,
                                    "--seqlen",
                                    "64",
                                    "--windows",
                                    "4",
                                    "--quiet",
                                    "--json",
                                    "-",
                                    "--cache",
                                    QString::fromStdString(cache.path().string())};
        const Run first = run(arguments);
        QVERIFY(!std::filesystem::is_empty(cache.path()));
        QCOMPARE(run(arguments).out, first.out);
    }

    void an_interrupt_is_4_and_leaves_nothing() {
        const test::TemporaryFolder out;
        QProcess process;
        process.start(SUTURE_BIN "/suture-cli", {"prune", SUTURE_SOURCE "/resources/sample", "--remove", "4", "--text",
                                                 SUTURE_SOURCE "/resources/sample/calibration.txt", "--windows", "0", "--seqlen", "128",
                                                 "--repair", "linearpatch", "--evaluate", SUTURE_SOURCE "/resources/sample/evaluation.txt",
                                                 "--cache", QString::fromStdString((out.path() / "cache").string()), "--export",
                                                 QString::fromStdString((out.path() / "x").string())});
        process.setReadChannel(QProcess::StandardError);
        QTRY_VERIFY_WITH_TIMEOUT(process.bytesAvailable() > 0, 60000);  // it has said how much there is to do
        ::kill(pid_t(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30000));
        QCOMPARE(process.exitCode(), 4);
        QVERIFY(!std::filesystem::exists(out.path() / "x"));
        for (const auto& entry : std::filesystem::directory_iterator(out.path()))
            QCOMPARE(entry.path().filename().string(), std::string("cache"));
    }
};

SUTURE_SUITE(TestTerminal)
#include "test_terminal.moc"
