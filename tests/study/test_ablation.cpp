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

    void a_refused_row_is_in_no_race() {
        Ablation ablation;
        ablation.evaluation = {"a"};
        const auto row = [&](int layer, const char* repair, double perplexity) {
            AblationRow& made = ablation.rows.emplace_back(AblationRow{.model = "m", .repair = repair, .removed = LayerSet({layer})});
            if (perplexity > 0) made.perplexity = {{"a", perplexity}};
            else made.refusal = "too few windows";
        };
        row(1, "none", 30);
        row(1, "ridge+ft", 0);
        row(2, "none", 50);
        row(2, "ridge+ft", 40);
        const Table wins = ablation.wins();  // none won 1 of 2, ridge+ft its only one
        QCOMPARE(wins.text(0, 1) + " of " + wins.text(0, 2), std::string("1 of 2"));
        QCOMPARE(wins.text(1, 1) + " of " + wins.text(1, 2), std::string("1 of 1"));
    }

    void times_dense_on_own_and_other_texts() {
        Ablation ablation;
        ablation.evaluation = {"a", "b"};
        ablation.rows.push_back({.model = "m", .repair = "dense", .perplexity = {{"a", 10}, {"b", 20}}});
        const auto row = [&](const char* calibration, double a, double b) {
            ablation.rows.push_back({.model = "m",
                                     .calibration = calibration,
                                     .criterion = "cosine",
                                     .repair = "ridge",
                                     .windows = 8,
                                     .removed = LayerSet({1}),
                                     .perplexity = {{"a", a}, {"b", b}}});
        };
        row("a", 20, 160);  // 2 × on its own text, 8 × on the other
        QVERIFY(ablation.domains().rows.size() == 1);
        row("b", 20, 160);  // 8 × and 2 ×
        const Table table = ablation.domains();
        QCOMPARE(table.text(0, 0), std::string("ridge"));
        QCOMPARE(table.text(0, 1), std::string("4.000"));  // √(2 · 8)
        QCOMPARE(table.text(0, 2), std::string("4.000"));  // √(8 · 2)
        ablation.evaluation = {"c"};
        for (AblationRow& r : ablation.rows) r.perplexity = {{"c", 10}};
        QVERIFY(ablation.domains().rows.empty());  // nothing is calibrated on c
    }

    void a_merge_is_its_own_repair() {
        const test::TemporaryFolder folder;
        auto json = small_spec();
        json.erase("layers");
        json["criteria"] = {"laco"};
        json["repairs"] = {"none", "channel"};
        Progress progress;
        const auto store = std::make_shared<Store>(std::filesystem::path());
        const Ablation ablation = run_ablation(AblationSpec::read(written(folder, json)), store, progress);
        QCOMPARE(ablation.rows.size(), std::size_t(3));
        QCOMPARE(ablation.rows[1].repair, std::string("merged"));
        QVERIFY(ablation.rows[2].refusal.find("own repair") != std::string::npos && ablation.rows[2].perplexity.empty());
        // Merging is not leaving out.
        json["criteria"] = {"cosine"};
        json.erase("remove");
        json["layers"] = {ablation.rows[1].removed.text()};
        const Ablation left_out = run_ablation(AblationSpec::read(written(folder, json)), store, progress);
        QCOMPARE(left_out.rows[1].removed, ablation.rows[1].removed);
        QVERIFY(left_out.rows[1].perplexity.at("own") != ablation.rows[1].perplexity.at("own"));
    }

    void patched_ranks_by_the_first_repair() {
        const test::TemporaryFolder folder;
        auto json = small_spec();
        json.erase("layers");
        json["criteria"] = {"patched"};
        json["repairs"] = {"none"};
        try {
            AblationSpec::read(written(folder, json));
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("\"criteria\""), error.what());
        }
        json["repairs"] = {"none", "channel", "ridge"};
        Progress progress;
        const auto store = std::make_shared<Store>(std::filesystem::path());
        const AblationSpec spec = AblationSpec::read(written(folder, json));
        QCOMPARE(spec.ranked_by(), std::string("channel"));
        QCOMPARE(run_ablation(spec, store, progress).rows.size(), std::size_t(4));
    }

    void a_specification_survives_json_and_counts_its_rows() {
        const test::TemporaryFolder folder;
        auto json = small_spec();
        json["evaluation"][1]["windows"] = 3;
        json["calibration_windows"] = {1, 2, 4};
        json["criteria"] = {"cosine", "angular"};
        const AblationSpec spec = AblationSpec::read(written(folder, json));
        const AblationSpec again = AblationSpec::from_json(spec.to_json(), "spec");
        QCOMPARE(again.to_json(), spec.to_json());
        QCOMPARE(again.evaluation[1].windows, std::int64_t(3));
        QCOMPARE(again.evaluation[1].source.ids, folder.path() / "other.json");  // no longer relative
        QCOMPARE(again.settings.repair.ridge, 1.0);
        // 1 model × (dense + 3 numbers of windows × (1 set by hand + 1 number × 2 criteria) × 4 repairs)
        QCOMPARE(spec.rows(), std::int64_t(1 + 3 * 3 * 4));
    }

    void a_plan_counts_tokens_and_knows_the_models() {
        const test::TemporaryFolder folder;
        auto json = small_spec();
        json["calibration_windows"] = {1, 3};
        json["evaluation"][1]["windows"] = 2;
        const auto store = std::make_shared<Store>(std::filesystem::path());
        const AblationPlan plan = plan_ablation(AblationSpec::read(written(folder, json)), store);
        QCOMPARE(plan.models.size(), std::size_t(1));
        QCOMPARE(plan.models[0].calibrations, (std::vector<std::int64_t>{12, 36}));  // windows of 12 tokens
        QCOMPARE(plan.models[0].evaluation, std::int64_t(4 * 12 + 2 * 12));
        json["remove"] = {30};
        QVERIFY_EXCEPTION_THROWN(plan_ablation(AblationSpec::read(written(folder, json)), store), Error);
        json["remove"] = {1};
        json["layers"] = {"40"};
        QVERIFY_EXCEPTION_THROWN(plan_ablation(AblationSpec::read(written(folder, json)), store), Error);
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
        QTest::newRow("nothing to train") << "repairs"
                                          << "[\"none+ft\"]"
                                          << "nothing to fine-tune";
        QTest::newRow("one name twice") << "evaluation"
                                        << "[{\"name\": \"x\", \"ids\": \"ids.json\"}, {\"name\": \"x\", \"ids\": \"other.json\"}]"
                                        << "are called \"x\"";
        QTest::newRow("one repair twice") << "repairs"
                                          << "[\"ridge\", \"none\", \"ridge\"]"
                                          << "names ridge twice";
        QTest::newRow("unknown setting") << "settings"
                                         << "{\"repair\": {\"rigde\": 1}}"
                                         << "\"rigde\" is no setting of \"repair\"";
        QTest::newRow("unknown settings") << "settings"
                                          << "{\"repairs\": {}}"
                                          << "\"repairs\" is unknown";
        QTest::newRow("setting of another type") << "settings"
                                                 << "{\"windows\": {\"seqlen\": \"64\"}}"
                                                 << "\"seqlen\" can't be \"64\"";
        QTest::newRow("setting of no choice") << "settings"
                                              << "{\"repair\": {\"fit\": \"best\"}}"
                                              << "\"fit\" can't be \"best\"";
        QTest::newRow("no settings") << "settings"
                                     << "[]"
                                     << "\"settings\" should be an object";
        QTest::newRow("no text") << "calibration"
                                 << "[{\"name\": \"x\", \"ids\": 3}]"
                                 << "should hold texts";
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
