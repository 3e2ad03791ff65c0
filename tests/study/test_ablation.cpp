// SPDX-License-Identifier: GPL-3.0-or-later
// The ablation: what a specification asks for, what is measured, and who wins.
#include "core/study/ablation.h"

#include <QtTest/QtTest>
#include <fstream>

#include "core/base/error.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

nlohmann::json small_spec() {
    return {{"models", {test::data("archs/llama").string()}},
            {"calibration", {{{"name", "own"}, {"ids", "ids.json"}}}},
            {"evaluation", {{{"name", "own"}, {"ids", "ids.json"}}, {{"name", "other"}, {"ids", "other.json"}}}},
            {"remove", {1}},
            {"layers", {"1-2"}},
            {"criteria", {"cosine"}},
            {"repairs", {"none", "channel", "ridge", "ridge+ft"}},
            {"settings", {{"repair", {{"ridge", 1}}}, {"distillation", {{"ft_validation", 1}, {"ft_learning_rate", 1e-5}}}}}};
}

std::filesystem::path written(const test::TemporaryFolder& folder, const nlohmann::json& spec) {
    nlohmann::json own = nlohmann::json::array(), other = nlohmann::json::array();
    for (int w = 0; w < 4; ++w) {
        own.push_back(nlohmann::json::array());
        other.push_back(nlohmann::json::array());
        for (int t = 0; t < 12; ++t) {
            own[std::size_t(w)].push_back((w * 5 + t * 3) % 40);
            other[std::size_t(w)].push_back((w * 3 + t * 7 + 1) % 40);
        }
    }
    std::ofstream(folder.path() / "ids.json") << own.dump();
    std::ofstream(folder.path() / "other.json") << other.dump();
    std::ofstream(folder.path() / "spec.json") << spec.dump();
    return folder.path() / "spec.json";
}

}  // namespace

class TestAblation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_combination_is_measured_on_every_text() {
        const test::TemporaryFolder folder;
        const AblationSpec spec = AblationSpec::read(written(folder, small_spec()));
        Progress progress;
        const auto store = std::make_shared<Store>(std::filesystem::path());
        std::size_t watched = 0;
        const Ablation ablation = run_ablation(spec, store, progress, [&](const AblationRow&) { ++watched; });
        QCOMPARE(ablation.rows.size(), std::size_t(1 + 2 * 4));  // dense; two choices × four repairs
        QCOMPARE(watched, ablation.rows.size());
        for (const AblationRow& row : ablation.rows)
            QVERIFY2(row.refusal.empty() && row.perplexity.size() == 2, row.to_json().dump().c_str());
        QVERIFY(ablation.rows[1].in_domain("own") && !ablation.rows[1].in_domain("other"));
        // The same numbers as the stages give on their own.
        const Study study(test::data("archs/llama"), store);
        JobSettings settings = spec.settings;
        settings.windows.windows = 0;
        const Windows windows = study.evaluation_windows(spec.evaluation[1].source, settings);
        const std::vector<Variant> variants{Variant(LayerSet({1, 2}))};
        QCOMPARE(ablation.rows[1].removed, LayerSet({1, 2}));
        QCOMPARE(ablation.rows[1].perplexity.at("other"), study.evaluate(variants, windows, settings, 0, progress)[0]->perplexity());
        QCOMPARE(ablation.table().rows.size(), ablation.rows.size());
    }

    void the_lowest_perplexity_of_a_group_wins() {
        Ablation ablation;
        ablation.evaluation = {"a", "b"};
        const auto row = [&](int layer, const char* repair, double a, double b) {
            ablation.rows.push_back({.model = "m",
                                     .calibration = "c",
                                     .criterion = "cosine",
                                     .repair = repair,
                                     .windows = 8,
                                     .removed = LayerSet({layer}),
                                     .perplexity = {{"a", a}, {"b", b}}});
        };
        row(1, "none", 30, 30);
        row(1, "ridge", 20, 40);
        row(2, "none", 50, 50);
        row(2, "ridge", 40, 45);
        const Table wins = ablation.wins();  // a: ridge twice; b: one each
        QCOMPARE(wins.rows.size(), std::size_t(2));
        QCOMPARE(wins.text(0, 1), std::string("0"));
        QCOMPARE(wins.text(0, 2), std::string("1"));
        QCOMPARE(wins.text(1, 1), std::string("2"));
        QCOMPARE(wins.text(1, 2), std::string("1"));
        QCOMPARE(wins.text(1, 3), std::string("2"));
    }

    void what_a_specification_lacks_is_named_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("expected");
        QTest::newRow("no models") << "models"
                                   << "[]"
                                   << "\"models\" names no model";
        QTest::newRow("unknown member") << "repair"
                                        << "[]"
                                        << "\"repair\" is no member";
        QTest::newRow("unknown repair") << "repairs"
                                        << "[\"magic\"]"
                                        << "magic";
        QTest::newRow("unknown criterion") << "criteria"
                                           << "[\"magic\"]"
                                           << "magic";
        QTest::newRow("no number") << "remove"
                                   << "[0]"
                                   << "\"remove\" should hold whole numbers";
        QTest::newRow("no list") << "remove"
                                 << "3"
                                 << "\"remove\" should be a list";
        QTest::newRow("no such text") << "evaluation"
                                      << "[{\"name\": \"x\", \"text\": \"absent.txt\"}]"
                                      << "absent.txt: there is no such file";
    }
    void what_a_specification_lacks_is_named() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, expected);
        const test::TemporaryFolder folder;
        auto spec = small_spec();
        spec[key.toStdString()] = nlohmann::json::parse(value.toStdString());
        try {
            AblationSpec::read(written(folder, spec));
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(expected), error.what());
        }
    }
};

SUTURE_SUITE(TestAblation)
#include "test_ablation.moc"
