// SPDX-License-Identifier: GPL-3.0-or-later
// The choices that the reference numbers lead to: cosine, token axis and angle.
#include <QtTest/QtTest>
#include <limits>

#include "core/selection/criterion.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

/// Values at (start, start + n), nothing elsewhere.
Matrix pairs(int layers, const json& by_start, int n) {
    Matrix matrix({layers + 1, layers + 1}, std::numeric_limits<double>::quiet_NaN());
    for (const auto& [start, value] : by_start.items()) matrix.at(std::stoi(start), std::stoi(start) + n) = value.get<double>();
    return matrix;
}

}  // namespace

class TestReferenceChoices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void starts_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("entry");
        for (const char* name : {"sample", "stories260K", "smollm2-135m"}) {
            auto file = test::data(std::string("reference/") + name + ".json");
            if (!std::filesystem::exists(file)) file = test::shared(std::string("reference/") + name + ".json");
            if (file.empty()) continue;
            for (int i = 0; i < int(test::read_json(file)["prune"].size()); ++i)
                QTest::newRow(qPrintable(QString("%1 %2").arg(name).arg(i))) << QString::fromStdString(file.string()) << i;
        }
    }
    void starts() {
        QFETCH(QString, file);
        QFETCH(int, entry);
        const json reference = test::read_json(file.toStdString());
        const json& expected = reference["prune"][std::size_t(entry)];
        const int layers = reference["layers"], n = expected["n"];
        Statistics s;
        s.layers = layers;
        s.cosine_token = pairs(layers, expected["cosine_token"], n);
        s.cosine_token_axis = pairs(layers, expected["cosine_channel_axis"], n);
        s.angular_last = pairs(layers, expected["angular_last_token"], n);
        const auto start = [&](const char* criterion) { return rank_layers(s, criterion, n).removed.layers().front(); };
        QCOMPARE(start("cosine"), expected["start_cosine_token"].get<int>());
        QCOMPARE(start("cosine-token-axis"), expected["start_cosine_channel_axis"].get<int>());
        QCOMPARE(start("angular"), expected["start_angular"].get<int>());
        QCOMPARE(rank_layers(s, "cosine", n).removed.layers(), expected["removed"].get<std::vector<int>>());
    }

    void block_influence_of_the_reference() {
        const json reference = test::read_json(test::data("reference/sample.json"));
        const int layers = reference["layers"];
        const auto influence = reference["block_influence"].get<std::vector<double>>();
        Statistics s;
        s.layers = layers;
        s.cosine_token = Matrix({layers + 1, layers + 1}, 0.0);
        for (int l = 0; l < layers; ++l)
            for (int e = l + 1; e <= layers; ++e)
                s.cosine_token.at(l, e) = reference["cosine_token_matrix"][std::size_t(l)][std::size_t(e)];
        const Ranking ranking = rank_layers(s, "block-influence", 4);
        for (int l = 0; l < layers; ++l) QVERIFY(std::abs(ranking.scores.at(l) - influence[std::size_t(l)]) < 1e-6);
        double highest = 0;
        for (const int l : ranking.removed.layers()) highest = std::max(highest, influence[std::size_t(l)]);
        for (int l = 1; l + 1 < layers; ++l) QVERIFY(ranking.removed.contains(l) || influence[std::size_t(l)] >= highest);
    }
};

SUTURE_SUITE(TestReferenceChoices)
#include "test_reference_choices.moc"
