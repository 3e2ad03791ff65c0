// SPDX-License-Identifier: GPL-3.0-or-later
// suture-cli select: what it prints, refuses and writes.
#include <QProcess>
#include <QtTest/QtTest>

#include "tests/app/terminal.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;
using nlohmann::json;

namespace {

Run select(const QStringList& arguments) { return run(QStringList{"select", stories} + arguments); }

const QStringList few{"--text", text, "--seqlen", "64", "--windows", "4", "--cache", "none", "--quiet"};

}  // namespace

class TestSelect : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void criteria_side_by_side() {
        const QString all = "cosine,cosine-token-axis,angular,block-influence,update-norm,sleb,ppl,taylor,magnitude,laco,patched";
        const Run found = select(few + QStringList{"--criterion", all, "--remove", "2", "--no-plus", "--repair", "scalar", "--evaluate",
                                                   text, "--evaluate-windows", "3", "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        const json result = found.parsed();
        QCOMPARE(int(result["criteria"].size()), all.count(',') + 1);
        for (const auto& [name, entry] : result["criteria"].items()) {
            QVERIFY2(entry["removed"].size() == 2 && !entry["scores"].empty(), name.c_str());
            for (const int layer : entry["removed"]) QVERIFY(layer >= 1 && layer <= 3);  // of five layers the ends stay
            QVERIFY(std::abs(std::exp(entry["nll"].get<double>()) - entry["perplexity"].get<double>()) < 1e-6);
            QVERIFY2(entry.contains("patched_nll") == (name != "laco"), name.c_str());
            QVERIFY(entry["nll"] > result["dense"]["nll"]);
        }
        QCOMPARE(result["agreement"]["names"].size(), result["criteria"].size());
        QCOMPARE(result["agreement"]["jaccard"][4][4].get<double>(), 1.0);
    }

    void a_search_beats_the_criteria_on_its_own_text() {
        test::TemporaryFolder folder;
        const QString yaml = QString::fromStdString((folder.path() / "merge.yaml").string());
        const Run found = select(few + QStringList{"--criterion", "cosine,block-influence", "--remove", "2", "--search", "greedy",
                                                   "--evaluate", text, "--evaluate-windows", "4", "--mergekit", yaml, "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        const json result = found.parsed(), &search = result["search"];
        QVERIFY(search["complete"].get<bool>());
        QVERIFY(search["passes"] < search["passes_full"]);
        for (const auto& [name, entry] : result["criteria"].items())
            QVERIFY(search["nll"].get<double>() <= entry["nll"].get<double>() + 1e-5);
        const auto removed = search["removed"].get<std::vector<int>>();
        QCOMPARE(result["prune_layers"].get<std::string>(), std::to_string(removed[0]) + "," + std::to_string(removed[1]));
        std::ifstream file(yaml.toStdString());
        const std::string written((std::istreambuf_iterator<char>(file)), {});
        QVERIFY(written.starts_with("slices:\n") && written.ends_with("merge_method: passthrough\ndtype: float32\n"));
    }

    void budgets_and_protection() {
        const Run found =
            select(few + QStringList{"--search", "beam", "--beam", "2", "--budget-parameters", "1", "--protect", "1,2", "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        QCOMPARE(found.parsed()["search"]["removed"], json::array({3}));
    }

    void magnitude_needs_no_text() {
        const Run found = select({"--criterion", "magnitude", "--remove", "1", "--no-plus", "--quiet", "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        QCOMPARE(int(found.parsed()["criteria"]["magnitude"]["scores"].size()), 5);
    }

    void memory_is_told_before_gradients() {
        const QStringList loud{"--text", text, "--seqlen", "64", "--windows", "2", "--cache", "none"};
        const Run found = select(loud + QStringList{"--criterion", "taylor", "--remove", "1", "--no-plus"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        QVERIFY2(found.err.contains("taylor: about 0.") && found.err.contains("GB of memory"), qPrintable(found.err));
        const Run refused = select(loud + QStringList{"--criterion", "taylor", "--remove", "1", "--no-plus", "--memory", "0.1"});
        QCOMPARE(refused.exit, 3);
        QVERIFY2(refused.err.contains("--memory allows"), qPrintable(refused.err));
    }

    void wrong_use_is_2_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("expected");
        QTest::newRow("nothing") << QStringList{"--remove", "1"} << "--criterion NAME";
        QTest::newRow("unknown") << QStringList{"--criterion", "magic", "--remove", "1"} << "no criterion named \"magic\"";
        QTest::newRow("twice") << QStringList{"--criterion", "cosine,cosine", "--remove", "1"} << "cosine twice";
        QTest::newRow("no number") << QStringList{"--criterion", "cosine"} << "exactly one of --remove N";
        QTest::newRow("two budgets") << QStringList{"--search", "greedy", "--remove", "1", "--budget-bytes", "5"} << "exactly one of";
        QTest::newRow("budget without search") << QStringList{"--budget-bytes", "5", "--criterion", "cosine"} << "give --remove N";
        QTest::newRow("milliseconds") << QStringList{"--search", "greedy", "--budget-ms", "5"} << "--layers-ms";
        QTest::newRow("no repair") << QStringList{"--criterion", "patched", "--remove", "1", "--no-plus"} << "needs a repair";
        QTest::newRow("plus") << QStringList{"--criterion", "ppl", "--remove", "1"} << "--no-plus";
        QTest::newRow("protected") << QStringList{"--criterion", "cosine", "--remove", "2", "--protect", "2"} << "no 2 layers in a row";
        QTest::newRow("too many") << QStringList{"--search", "greedy", "--remove", "4"} << "1 to 3 can go";
    }
    void wrong_use_is_2() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, expected);
        const Run found = select(few + arguments);
        QVERIFY2(found.err.contains(expected) || found.out.contains(expected), qPrintable(found.err + found.out));
        QCOMPARE(found.exit, 2);
    }

    void no_text() {
        const Run found = select({"--criterion", "sleb", "--remove", "1", "--quiet"});
        QCOMPARE(found.exit, 2);
        QVERIFY2(found.err.contains("--text FILE (or --ids FILE) is needed to choose layers"), qPrintable(found.err));
    }
};

SUTURE_SUITE(TestSelect)
#include "test_select.moc"
