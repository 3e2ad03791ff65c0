// SPDX-License-Identifier: GPL-3.0-or-later
// suture-cli generate and speed as other programs meet them.
#include <QProcess>
#include <QtTest/QtTest>

#include "tests/app/terminal.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

class TestTerminalGeneration : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void greedy_text() {
        // The greedy story behind BOS begins "Once upon a time, there was a little girl".
        const Run plain = run({"generate", stories, "--prompt", "Once upon a time", "--max-tokens", "12", "--quiet"});
        QCOMPARE(plain.exit, 0);
        QVERIFY2(plain.out.startsWith(", there was a little girl"), qPrintable(plain.out));
        QVERIFY(plain.out.contains("tokens per second"));
    }

    void both_sides_as_json() {
        const QStringList arguments{"generate", stories,        "--prompt", "Once",         "--layers", "2", "--temperature", "1", "--seed",
                                    "3",        "--max-tokens", "9",        "--ignore-eos", "--json",   "-"};
        const json found = run(arguments).parsed();
        QCOMPARE(found["variants"].size(), std::size_t(2));
        QCOMPARE(found["variants"][0]["name"], json("dense"));
        QCOMPARE(found["variants"][1]["removed"], json({2}));
        QCOMPARE(found["variants"][1]["ids"].size(), std::size_t(9));
        QCOMPARE(found["settings"]["seed"], json(3));
        QCOMPARE(run(arguments).parsed()["variants"][1]["ids"], found["variants"][1]["ids"]);
    }

    void answers() {
        const test::TemporaryFolder folder;
        std::ofstream(folder.path() / "p.jsonl") << R"({"prompt": "Once upon", "answer": "a time"})";
        const json found = run({"generate", stories, "--check", QString::fromStdString((folder.path() / "p.jsonl").string()),
                                "--max-tokens", "5", "--json", "-"})
                               .parsed();
        QCOMPARE(found["variants"][0]["accuracy"], json(0.0));
        QCOMPARE(found["variants"][0]["rows"][0]["expected"], json("a time"));
        QVERIFY(QString::fromStdString(found["variants"][0]["rows"][0]["generation"]["text"]).startsWith(" a time"));
    }

    void speed() {
        const json found = run({"speed", stories, "--layers", "2", "--layers", "1-2", "--repeats", "2", "--decode-tokens", "2",
                                "--prompt-tokens", "8", "--json", "-"})
                               .parsed();
        QCOMPARE(found["variants"].size(), std::size_t(3));
        QCOMPARE(found["variants"][2]["removed"], json({1, 2}));
        QCOMPARE(found["variants"][0]["decode_speedup"], json(1.0));
        QCOMPARE(found["variants"][1]["kv_bytes_per_token"], json(512));
    }

    void speed_of_a_patched_variant() {
        // A patch adds P, C × C, and d, C, to the tensors; C = 64.
        const json found = run(QStringList{"speed", stories, "--layers", "2", "--layers", "3", "--repair", "none,linearpatch", "--text",
                                           text, "--repeats", "2", "--decode-tokens", "2", "--prompt-tokens", "8", "--json", "-"} +
                               small)
                               .parsed();
        QStringList names;
        for (const json& variant : found["variants"]) names << QString::fromStdString(variant["name"]);
        QCOMPARE(names, (QStringList{"dense", "without 2", "without 2, linearpatch_ratio_of_sums", "without 3",
                                     "without 3, linearpatch_ratio_of_sums"}));
        for (const std::size_t patched : {2, 4}) {
            const json& with = found["variants"][patched];
            const json& without = found["variants"][patched - 1];
            QCOMPARE(with["removed"], without["removed"]);
            QCOMPARE(with["parameters"].get<int>() - without["parameters"].get<int>(), 64 * 64 + 64);
            QCOMPARE(with["decode_seconds_per_token"]["samples"].size(), without["decode_seconds_per_token"]["samples"].size());
        }
    }

    void speed_of_chosen_layers() {
        const json found = run(QStringList{"speed", stories, "--remove", "1", "--criterion", "cosine", "--text", text, "--repeats", "1",
                                           "--decode-tokens", "1", "--prompt-tokens", "8", "--json", "-"} +
                               small)
                               .parsed();
        QCOMPARE(found["variants"].size(), std::size_t(2));
        QCOMPARE(found["variants"][1]["removed"].size(), std::size_t(1));
    }

    void more_tokens_than_the_model_was_made_for() {
        // stories260K: max_position_embeddings 512.
        const Run text_ = run({"generate", stories, "--prompt", "Once", "--max-tokens", "600"});
        QVERIFY2(text_.err.contains("max_position_embeddings is 512"), qPrintable(text_.err));
        const Run within = run({"generate", stories, "--prompt", "Once", "--max-tokens", "6"});
        QVERIFY2(!within.err.contains("max_position_embeddings"), qPrintable(within.err));
        const Run timing = run({"speed", stories, "--layers", "2", "--prompt-tokens", "512", "--decode-tokens", "1", "--repeats", "1"});
        QVERIFY2(timing.err.contains("513 tokens") && timing.err.contains("is 512"), qPrintable(timing.err));
        const Run window = run({"evaluate", stories, "--text", text, "--seqlen", "513", "--windows", "1", "--cache", "none"});
        QVERIFY2(window.err.contains("513 tokens") && window.err.contains("is 512"), qPrintable(window.err));
    }

    void wrong_use_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QString>("expected");
        QTest::newRow("no prompt") << QStringList{"generate", stories} << 2 << "exactly one of --prompt TEXT";
        QTest::newRow("two prompts") << QStringList{"generate", stories, "--prompt", "a", "--check", "b"} << 2 << "exactly one of";
        QTest::newRow("no chat") << QStringList{"generate", stories, "--prompt", "a", "--chat"} << 2 << "has no chat template";
        QTest::newRow("top p") << QStringList{"generate", stories, "--prompt", "a", "--top-p", "2"} << 2 << "--top-p";
        QTest::newRow("repair of nothing") << QStringList{"generate", stories, "--prompt", "a", "--repair", "channel"} << 2
                                           << "--repair has no effect without a cut";
        QTest::newRow("limit of nothing") << QStringList{"generate", stories, "--prompt", "a", "--limit", "3"} << 2
                                          << "--limit has no effect without --check";
        QTest::newRow("no file") << QStringList{"generate", stories, "--prompt-file", "absent"} << 3 << "absent: can't be read";
        QTest::newRow("speed of what") << QStringList{"speed", stories} << 2 << "exactly one of --remove N, --layers LIST";
        QTest::newRow("speed of two cuts") << QStringList{"speed", stories, "--layers", "2", "--remove", "1"} << 2 << "exactly one of";
        QTest::newRow("all layers") << QStringList{"speed", stories, "--layers", "0-4"} << 2 << "at least one must be kept";
    }
    void wrong_use() {
        QFETCH(QStringList, arguments);
        QFETCH(int, exit);
        QFETCH(QString, expected);
        const Run found = run(arguments);
        QCOMPARE(found.exit, exit);
        QVERIFY2((found.err + found.out).contains(expected), qPrintable(found.err));
    }
};

SUTURE_SUITE(TestTerminalGeneration)
#include "test_terminal_generation.moc"
