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
        double others = 0;  // cosine, with the ten others
        for (std::size_t i = 0; i < 11; ++i)
            if (result["agreement"]["names"][i] != "cosine") others += result["agreement"]["jaccard"][0][i].get<double>();
        QVERIFY(std::abs(result["criteria"]["cosine"]["mean_jaccard"].get<double>() - others / 10) < 1e-12);
    }

    void a_merge_is_no_list_of_layers() {
        const QStringList loud{"--text", text, "--seqlen", "64", "--windows", "2", "--cache", "none"};
        const Run found = select(loud + QStringList{"--criterion", "laco", "--remove", "1", "--laco-threshold", "1.05", "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        QVERIFY(!found.parsed().contains("prune_layers"));
        QVERIFY2(found.err.contains("no list of layers to drop") && found.err.contains("1.05 was asked for"), qPrintable(found.err));
        QVERIFY(!found.err.contains("--prune-layers"));
    }

    void prune_takes_the_same_choice() {
        const Run patched =
            run(QStringList{"prune", stories} + few +
                QStringList{"--criterion", "patched", "--remove", "1", "--protect", "2", "--repair", "none,linearpatch", "--json", "-"});
        QVERIFY2(patched.exit == 0, qPrintable(patched.err));
        const json choice = patched.parsed()["choice"];
        QCOMPARE(choice["criterion"], json("patched"));
        QCOMPARE(choice["parameters"]["repair"], json("linearpatch"));
        QCOMPARE(choice["protection"]["layers"], json::array({2}));
        QVERIFY(patched.parsed()["removed"] != json::array({2}));
        const Run none = run(QStringList{"prune", stories, "--criterion", "patched", "--remove", "1", "--quiet"});
        QVERIFY2(none.exit == 2 && none.err.contains("first fitted repair of --repair"), qPrintable(none.err));
    }

    void an_exported_merge_tells_what_was_merged() {
        test::TemporaryFolder folder;
        const auto target = folder.path() / "merged";
        const Run found = run(
            QStringList{"prune", stories} + few +
            QStringList{"--criterion", "laco", "--remove", "1", "--laco-group", "3", "--export", QString::fromStdString(target.string())});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        const json recipe = read_json(target / "suture.json");
        QCOMPARE(recipe["merges"].size(), std::size_t(1));
        const int base = recipe["merges"][0]["layer"];
        QCOMPARE(recipe["merges"][0]["takes_up"], json::array({base + 1}));
        QCOMPARE(recipe["removed"], json::array({base + 1}));
        QCOMPARE(recipe["choice"]["parameters"]["group"].get<int>(), 3);
        QVERIFY(recipe["choice"]["parameters"].contains("threshold_used") && recipe["choice"]["parameters"].contains("interval"));
        QVERIFY(recipe["calibration"].contains("text"));
        const QString card = QString::fromStdString(test::read_file(target / "README.md"));
        QVERIFY(!card.contains("Nothing was put in their place"));
        QVERIFY2(card.contains(QString("layer %1 took up layer %2").arg(base).arg(base + 1)), qPrintable(card));
        QVERIFY(card.contains("threshold_used"));
    }

    void the_massive_activation_is_told() {
        const QStringList loud{"--text", text, "--seqlen", "64", "--windows", "2", "--cache", "none"};
        for (const char* factor : {"1.01", "1000"}) {
            const Run found = select(
                loud + QStringList{"--criterion", "cosine", "--remove", "1", "--keep-massive", "--extreme-token", factor, "--json", "-"});
            QVERIFY2(found.exit == 0, qPrintable(found.err));
            const json massive = found.parsed()["massive_activation"];
            QCOMPARE(massive.is_null(), QString(factor) == "1000");
            if (massive.is_null()) QVERIFY2(found.err.contains("no token is extreme"), qPrintable(found.err));
            else QVERIFY2(massive["times_median"] > 1.01 && found.err.contains("times the median"), qPrintable(found.err));
        }
    }

    void a_patched_search_says_what_it_scores_on() {
        const QStringList loud{"--text", text, "--seqlen", "64", "--windows", "4", "--cache", "none"};
        const Run found = select(loud + QStringList{"--search", "greedy", "--remove", "1", "--repair", "linearpatch", "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        QVERIFY(found.err.contains("scores on every fourth"));
        QVERIFY(found.parsed()["search"]["parameters"]["scored_on"].get<std::string>().find("held out") != std::string::npos);
        const Run one = select({"--text", text, "--seqlen", "64", "--windows", "1", "--cache", "none", "--search", "greedy", "--remove",
                                "1", "--repair", "linearpatch"});
        QVERIFY2(one.exit == 2 && one.err.contains("at least 2 windows"), qPrintable(one.err));
    }

    void a_search_beats_the_criteria_on_its_own_text() {
        test::TemporaryFolder folder;
        const QString yaml = QString::fromStdString((folder.path() / "merge.yaml").string());
        const Run found = select(few + QStringList{"--criterion", "cosine,block-influence", "--remove", "2", "--search", "greedy",
                                                   "--evaluate", text, "--evaluate-windows", "4", "--mergekit", yaml, "--json", "-"});
        QVERIFY2(found.exit == 0, qPrintable(found.err));
        const json result = found.parsed(), &search = result["search"];
        QVERIFY(search["complete"].get<bool>());
        QVERIFY(search["passes_plain"] == 4 * (3 * 4 + 2 * 3));  // five layers, three of which may go
        for (const auto& [name, entry] : result["criteria"].items())
            QVERIFY(search["nll"].get<double>() <= entry["nll"].get<double>() + 1e-5);
        const auto removed = search["removed"].get<std::vector<int>>();
        QCOMPARE(result["prune_layers"].get<std::string>(), std::to_string(removed[0]) + "," + std::to_string(removed[1]));
        const std::string written = test::read_file(yaml.toStdString());
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
        QTest::newRow("laco for mergekit") << QStringList{"--criterion", "laco", "--remove", "1", "--mergekit", "m.yaml"}
                                           << "laco merges them";
        QTest::newRow("block alone") << QStringList{"--criterion", "cosine", "--remove", "1", "--block"}
                                     << "--block is a setting of the search";
        QTest::newRow("screen") << QStringList{"--search", "greedy", "--remove", "1", "--screen", "1.5"} << "--screen";
        QTest::newRow("beam") << QStringList{"--search", "beam", "--remove", "1", "--beam", "0"} << "--beam";
        QTest::newRow("group") << QStringList{"--criterion", "laco", "--remove", "1", "--laco-group", "1"} << "--laco-group";
        QTest::newRow("interval") << QStringList{"--criterion", "laco", "--remove", "1", "--laco-interval", "0"} << "--laco-interval";
        QTest::newRow("no sample") << QStringList{"--criterion", "update-norm", "--remove", "1", "--sample", "0"} << "--sample above 0";
        QTest::newRow("free ends") << QStringList{"--criterion", "cosine", "--remove", "5", "--keep-ends", "0"} << "1 to 4 can go";
        QTest::newRow("too many") << QStringList{"--search", "greedy", "--remove", "4"} << "1 to 3 can go";
    }
    void wrong_use_is_2() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, expected);
        const Run found = select(few + arguments);
        QVERIFY2(found.err.contains(expected) || found.out.contains(expected), qPrintable(found.err + found.out));
        QCOMPARE(found.exit, 2);
    }

    void wrong_use_is_found_before_anything_runs() {  // there is no text to run on, and that is not what is told
        for (const auto& [criteria, told] : {std::pair("sleb,patched", "needs a repair"), std::pair("sleb,magnitude", "--no-plus")}) {
            const Run found = select({"--criterion", criteria, "--remove", "1", "--quiet"});
            QVERIFY2(found.exit == 2 && found.err.contains(told), qPrintable(found.err));
        }
        const Run yaml = select({"--criterion", "sleb", "--remove", "1", "--quiet", "--mergekit", "/no/such/folder/m.yaml"});
        QVERIFY2(yaml.exit == 3 && yaml.err.contains("the folder does not exist"), qPrintable(yaml.err));
        const Run csv = select({"--criterion", "sleb", "--remove", "1", "--quiet", "--csv", text});
        QVERIFY2(csv.exit == 3 && csv.err.contains("is no folder"), qPrintable(csv.err));
    }

    void no_text() {
        const Run found = select({"--criterion", "sleb", "--remove", "1", "--quiet"});
        QCOMPARE(found.exit, 2);
        QVERIFY2(found.err.contains("--text FILE (or --ids FILE) is needed to choose layers"), qPrintable(found.err));
    }
};

SUTURE_SUITE(TestSelect)
#include "test_select.moc"
