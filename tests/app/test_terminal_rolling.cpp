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

    void nothing_to_evaluate_on_is_wrong_use() {
        const Run wrong = run({"evaluate", stories});
        QCOMPARE(wrong.exit, 2);
        QVERIFY2(wrong.err.contains("--rolling"), qPrintable(wrong.err));
    }
};

SUTURE_SUITE(TestTerminalRolling)
#include "test_terminal_rolling.moc"
