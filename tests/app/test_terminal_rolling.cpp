// SPDX-License-Identifier: GPL-3.0-or-later
// suture-cli evaluate --rolling as other programs meet it.
#include <QtTest/QtTest>
#include <cmath>

#include "tests/app/terminal.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

class TestTerminalRolling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void words_and_bytes() {
        const TemporaryFolder folder;
        std::ofstream(folder.path() / "text.txt") << "Once upon a time, there was a girl.";  // 8 words, 35 bytes
        const QString file = QString::fromStdString((folder.path() / "text.txt").string());
        const QStringList arguments{"evaluate", stories, "--rolling", file, "--rolling-documents", "file"};
        const json found = run(arguments + QStringList{"--json", "-"}).parsed()["rolling"];
        const double words = found["word_perplexity"], bytes = found["byte_perplexity"], bits = found["bits_per_byte"];
        QVERIFY(relative_difference(8 * std::log(words), 35 * std::log(bytes)) < 1e-9);  // one loss, spread over both
        QVERIFY(relative_difference(std::exp2(bits), bytes) < 1e-9);
        const Run table = run(arguments);
        QVERIFY2(table.out.contains("word perplexity") && table.out.contains("text.txt"), qPrintable(table.out));
    }

    void of_pruned_variants() {
        const TemporaryFolder folder;
        std::ofstream file(folder.path() / "t.jsonl");
        for (int i = 0; i < 9; ++i)
            file << json{{"text", "Story " + std::to_string(i) + ": once there was a girl named Lily."}}.dump() << "\n";
        file.close();
        const QString csv = QString::fromStdString((folder.path() / "csv").string());
        const Run pruned =
            run({"prune", stories, "--layers", "2", "--evaluate-rolling", QString::fromStdString((folder.path() / "t.jsonl").string()),
                 "--cache", "none", "--json", "-", "--csv", csv});
        QVERIFY2(pruned.exit == 0, qPrintable(pruned.err));
        const json found = pruned.parsed();
        const double dense = found["rolling"]["dense"]["word_perplexity"];
        const json& own = found["variants"]["none"]["rolling"];
        QVERIFY(relative_difference(own["ratio_to_dense"].get<double>() * dense, own["word_perplexity"].get<double>()) < 1e-12);
        QVERIFY(own["ratio_interval"][0] <= own["ratio_to_dense"] && own["ratio_to_dense"] <= own["ratio_interval"][1]);
        QVERIFY(std::filesystem::exists(folder.path() / "csv/word-and-byte-perplexity.csv"));
    }

    void lengths_beyond_the_model_are_noted() {
        // stories260K: max_position_embeddings 512.
        const TemporaryFolder folder;
        const auto path = [&](const char* name) { return QString::fromStdString((folder.path() / name).string()); };
        std::ofstream(folder.path() / "t.txt") << "Once upon a time";
        std::ofstream(folder.path() / "q.jsonl") << json{{"context", "Once"}, {"choices", {"upon", "in"}}, {"gold", 0}}.dump();
        for (const char* length : {"512", "513"}) {
            const Run rolling = run({"evaluate", stories, "--rolling", path("t.txt"), "--rolling-documents", "file", "--rolling-length",
                                     length, "--cache", "none"});
            const Run tasks =
                run({"evaluate", stories, "--tasks", "jsonl:q.jsonl", "--data", path(""), "--max-length", length, "--cache", "none"});
            for (const Run& found : {rolling, tasks})
                QVERIFY2(found.exit == 0 && found.err.contains("max_position_embeddings is 512") == (QString(length) == "513"),
                         qPrintable(found.err));
        }
    }

    void nothing_to_evaluate_on_is_wrong_use() {
        const Run wrong = run({"evaluate", stories});
        QCOMPARE(wrong.exit, 2);
        QVERIFY2(wrong.err.contains("--rolling"), qPrintable(wrong.err));
    }
};

SUTURE_SUITE(TestTerminalRolling)
#include "test_terminal_rolling.moc"
