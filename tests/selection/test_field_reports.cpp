// SPDX-License-Identifier: GPL-3.0-or-later
// What users of such tools ran into: padding, a cache flag, a single massive token, BOS.
#include <QtTest/QtTest>

#include "core/calibration/calibrate.h"
#include "core/selection/criterion.h"
#include "tests/selection/toy.h"
#include "tests/support/suites.h"

using namespace suture;
using test::Toy;

namespace {

Statistics calibrated(const std::shared_ptr<const Model>& model, const Windows& windows) {
    Progress progress;
    return calibrate(model, windows, {}, {}, progress);
}

Ranking rank(const std::shared_ptr<const Model>& model, const Windows& windows, const Statistics& statistics, const std::string& name) {
    SelectionInput input{.statistics = &statistics, .model = model, .windows = &windows, .repair = "scalar"};
    input.settings.no_plus = true;
    return rank_layers(input, name, 2);
}

/// Four pad tokens behind every window, left out of everything.
Windows padded(Windows windows) {
    for (std::size_t w = 0; w < windows.ids.size(); ++w)
        for (int i = 0; i < 4; ++i) {
            windows.ids[w].push_back(0);
            windows.counted[w].push_back(false);
        }
    return windows;
}

}  // namespace

class TestFieldReports : public QObject {
    Q_OBJECT
private:
    test::TemporaryFolder folder_;

private Q_SLOTS:
    void padding_changes_nothing_data() {
        QTest::addColumn<QString>("criterion");
        for (const Criterion* c : every_criterion())
            if (c->name != "patched" && c->name != "magnitude") QTest::newRow(c->name.c_str()) << QString::fromStdString(c->name);
    }
    void padding_changes_nothing() {
        QFETCH(QString, criterion);
        const auto model = Toy().write(folder_.path() / "plain");
        const Windows plain = test::toy_windows(3, 20), with_pads = padded(plain);
        const Statistics of_plain = calibrated(model, plain), of_padded = calibrated(model, with_pads);
        const Ranking expected = rank(model, plain, of_plain, criterion.toStdString());
        const Ranking found = rank(model, with_pads, of_padded, criterion.toStdString());
        QCOMPARE(found.removed, expected.removed);
        QCOMPARE(found.scores.size(), expected.scores.size());
        for (const auto& [place, score] : expected.scores)
            QVERIFY2(std::abs(found.scores.at(place) - score) <= 2e-5 * std::abs(score) + 1e-6,
                     qPrintable(QString("%1: %2, %3").arg(place).arg(found.scores.at(place)).arg(score)));
    }

    void use_cache_changes_nothing() {
        Toy toy;
        const Windows windows = test::toy_windows(2, 16);
        std::vector<std::map<int, double>> scores;
        for (const bool cache : {true, false}) {
            toy.config["use_cache"] = cache;
            const auto model = toy.write(folder_.path() / (cache ? "cache" : "no-cache"));
            scores.push_back(rank(model, windows, calibrated(model, windows), "ppl").scores);
        }
        QCOMPARE(scores[0], scores[1]);
    }

    void one_massive_token_is_one_token() {
        // Its norm is ten thousand times the others' and layer 1 leaves it alone, while it doubles all others. Weighed by norm, layer 1
        // would seem to do nothing; layer 2 changes every token by a quarter of its output.
        Statistics s;
        s.layers = 4;
        s.hidden = 1;
        const std::int64_t tokens = 9;
        s.sample = Array<float>({5, tokens, 1});
        for (std::int64_t t = 0; t < tokens; ++t) {
            const float size = t == 0 ? 10000 : 1;
            s.sample_tokens.push_back(t);
            s.counted.push_back(1);
            s.sample.at(0, t, 0) = s.sample.at(1, t, 0) = size;
            s.sample.at(2, t, 0) = t == 0 ? size : 2 * size;
            s.sample.at(3, t, 0) = s.sample.at(4, t, 0) = s.sample.at(2, t, 0) * 4 / 3;
        }
        const Ranking ranking = rank_layers(s, "update-norm", 1);
        QCOMPARE(ranking.removed.layers(), std::vector<int>{2});
        QVERIFY(std::abs(ranking.scores.at(1) - 0.5 * 8 / 9) < 1e-6);
        QVERIFY(std::abs(ranking.scores.at(2) - 0.25) < 1e-6);
    }

    void a_massive_token_does_not_decide_the_cosine() {
        // One embedding row is huge. Its stream hardly turns in any layer, so along the hidden axis it adds 1/tokens to every cosine;
        // leaving the token out must not change the order of the layers.
        Toy toy;
        auto& rows = toy.tensors.at("model.embed_tokens.weight").values;
        for (int c = 0; c < Toy::hidden; ++c) rows[std::size_t(c)] *= 3000;  // token 0
        const auto model = toy.write(folder_.path() / "massive");
        Windows windows = test::toy_windows(3, 40);
        windows.ids[0][5] = 0;
        const Statistics with = calibrated(model, windows);
        QCOMPARE(with.extreme_tokens.size(), std::size_t(1));
        QCOMPARE(with.extreme_tokens[0].position, std::int64_t(5));
        windows.counted[0][5] = false;
        const Statistics without = calibrated(model, windows);
        for (int n : {1, 2, 3}) {
            const Ranking a = rank_layers(with, "cosine", n), b = rank_layers(without, "cosine", n);
            QCOMPARE(a.removed, b.removed);
            for (const auto& [start, score] : b.scores) QVERIFY(std::abs(a.scores.at(start) - (score * 119 + 1) / 120) < 1e-3);
        }
    }

    void a_block_is_named_by_its_layers() {
        // "Block 2 to 4 is most similar" means: the inputs of layers 2 and 4 are alike, layers 2 and 3 go, layer 4 stays.
        Statistics s;
        s.layers = 6;
        s.cosine_token = Matrix({7, 7}, 0.1);
        s.cosine_token.at(2, 4) = 0.9;
        const LayerSet removed = rank_layers(s, "cosine", 2).removed;
        QCOMPARE(removed.layers(), (std::vector<int>{2, 3}));
        QCOMPARE(removed.complement(6).layers(), (std::vector<int>{0, 1, 4, 5}));
        QCOMPARE(seams_of(removed), (std::vector<Seam>{{2, 4}}));
    }
};

SUTURE_SUITE(TestFieldReports)
#include "test_field_reports.moc"
