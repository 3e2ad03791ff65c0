// SPDX-License-Identifier: GPL-3.0-or-later
// Speed, texts across, and rolling perplexity as figures and tables.
#include "core/figures/domains.h"
#include "core/figures/rolling.h"
#include "core/figures/speed.h"
#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

const std::vector<VariantLabel> variants{{"dense", "Dense", Role::Dense}, {"none", "No repair", Role::Unpatched, true}};

SpeedComparison speeds() {
    SpeedComparison found;
    found.variants.push_back({{{0.1, 0.2, 0.3}}, {{0.02, 0.02, 0.04}}, {4, 1000, 2000000, 256}});
    found.variants.push_back({{{0.1, 0.1, 0.1}}, {{0.01, 0.01, 0.01}}, {3, 750, 1500000, 192}});
    found.conditions = {{"repeats", 3}, {"prompt_tokens", 64}, {"decode_tokens", 8}, {"dtype", "float32"}, {"threads", 2}};
    return found;
}

DomainMatrix domains() {
    DomainMatrix m;
    m.texts = {"a.txt", "b.txt"};
    m.fitted = {4, 4};
    m.measured = {8, 6};
    m.perplexity = Matrix({2, 2}, std::vector<double>{10, 40, 20, 20});
    m.dense = {5, 20};
    m.unpatched = {100, 100};
    m.kind = "linearpatch";
    m.conditions = {{"seqlen", 512}, {"dtype", "float32"}};
    return m;
}

RollingEvaluation rolling(double loglikelihood) {
    RollingEvaluation e;
    e.documents = {{loglikelihood, 10, 50, 12}};
    e.conditions = {{"text", "wiki.raw"},
                    {"rolling_length", 512},
                    {"rolling_spacing", "wikitext"},
                    {"rolling_encoding", "0.4.4"},
                    {"dtype", "float32"}};
    return e;
}

}  // namespace

class MeasureFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_what_is_missing() {
        QVERIFY(contains(prefill_bars({}, nullptr).empty, "Measure"));
        QVERIFY(contains(domain_map(nullptr).empty, "texts"));
    }

    void latencies_with_quartiles() {
        const SpeedComparison found = speeds();
        const Series dense = series_named(prefill_bars(variants, &found), "Dense");
        QVERIFY(near(dense.y, {200}) && near(dense.low, {150}) && near(dense.high, {250}));
        const Figure decode = decode_bars(variants, &found);
        QVERIFY(near(series_named(decode, "No repair (stale)").y, {10}));
        QCOMPARE(decode.x.labels, (std::vector<std::string>{"Dense", "No repair (stale)"}));
        QVERIFY(contains(decode.caption, "3 rounds"));
    }

    void table_of_speed_and_size() {
        const Table table = speed_table(variants, speeds());
        QCOMPARE(table.text(1, 3) + "|" + table.text(1, 6), std::string("2.000|2.000"));  // speed-ups
        QCOMPARE(table.text(1, 7) + "|" + table.text(1, 8) + "|" + table.text(1, 9) + "|" + table.text(1, 10),
                 std::string("750|1.50|192|stale"));
        QVERIFY(contains(table.note(1, 1), "prompt of 64 tokens"));
    }

    void texts_across() {
        const DomainMatrix m = domains();
        const Figure figure = domain_map(&m);
        QVERIFY(near(figure.map->values.data, {1, 2, 2, 1}));  // against the diagonal of the column
        QCOMPARE(figure.x.labels, m.texts);
        const Table table = domain_table(m, true);
        QCOMPARE(table.rows.size(), std::size_t(4));
        QCOMPARE(table.text(0, 3), std::string("10.000"));  // geometric mean of 5 and 20
        QCOMPARE(table.text(0, 4), std::string("stale"));
        QCOMPARE(table.text(2, 0), std::string("LinearPatch fitted on a.txt"));
        QCOMPARE(table.text(2, 2) + "|" + table.text(2, 3), std::string("40.000|20.000"));
        QCOMPARE(table.note(2, 2), std::string("b.txt · 6 windows of 512 tokens behind the 4 fitted on · float32"));
    }

    void words_and_bytes() {
        const double ln2 = std::log(2.0);
        const std::vector<RollingEvaluation> results{rolling(-10 * ln2), rolling(-20 * ln2)};  // 2 and 4 per word
        const Table table = rolling_comparison(variants, results);
        QCOMPARE(table.text(0, 1) + "|" + table.text(1, 1) + "|" + table.text(1, 3), std::string("2.000|4.000|2.000"));
        QCOMPARE(table.text(0, 6), std::string("0.2000"));  // 10 bits over 50 bytes
        QCOMPARE(table.text(0, 3) + "|" + table.text(1, 8), std::string("–|stale"));
        QVERIFY(contains(table.note(0, 1), "wiki.raw") && contains(table.note(0, 1), "512 tokens at once") &&
                contains(table.note(0, 1), "0.4.4"));
        QCOMPARE(rolling_table("t", {"m"}, std::span(results).first(1)).text(0, 1), std::string("2.0000"));
        const Table both = rolling_table("t", {"m", "cut"}, results);
        QCOMPARE(both.text(1, 1) + "|" + both.text(1, 7), std::string("4.0000|2.0000"));  // times the first
    }
};

SUTURE_SUITE(MeasureFigures)
#include "measures_test.moc"
