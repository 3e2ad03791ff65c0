// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest/QtTest>
#include <cmath>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/figure.h"
#include "core/base/interval.h"
#include "core/base/key.h"
#include "core/base/progress.h"
#include "core/base/setting.h"
#include "core/base/table.h"
#include "tests/support/suites.h"

using namespace suture;

namespace {

struct Example {
    std::int64_t count = 3;
    double share = 0.5;
    bool on = false;
    std::string kind = "a";
    static const std::vector<Setting<Example>>& fields() {
        static const std::vector<Setting<Example>> list{{"count", "", "", &Example::count},
                                                        {"some-share", "", "", &Example::share},
                                                        {"on", "", "", &Example::on},
                                                        {"kind", "", "", &Example::kind, {"a", "b"}}};
        return list;
    }
};

}  // namespace

class TestValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void array_is_row_major() {
        Array<int> a({2, 3}, std::vector<int>{1, 2, 3, 4, 5, 6});
        QCOMPARE(a.at(1, 0), 4);
        QCOMPARE(a.row(1)[2], 6);
        QCOMPARE(Array<int>({2, 3, 4}).row(1).size(), std::size_t(12));
    }

    void key_ignores_member_order() {
        QCOMPARE(Key::of({{"a", 1}, {"b", 2}}), Key::of({{"b", 2}, {"a", 1}}));
        QVERIFY(Key::of({{"a", 1}}) != Key::of({{"a", 2}}));
        // FIPS 180-2's example.
        QCOMPARE(sha256_hex("abc"), std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }

    void settings_survive_json() {
        Example e;
        e.count = 7;
        e.share = 0.25;
        e.on = true;
        e.kind = "b";
        const auto json = settings_to_json(e);
        QCOMPARE(json["some_share"].get<double>(), 0.25);
        const auto back = settings_from_json<Example>(json);
        QCOMPARE(settings_to_json(back), json);
        QCOMPARE(settings_from_json<Example>({{"count", 9}}).share, 0.5);
    }

    void progress_counts_and_cancels() {
        std::stop_source source;
        std::vector<std::int64_t> seen;
        Progress progress(source.get_token(), [&](const ProgressReport& report) { seen.push_back(report.done); });
        progress.begin("Counting", 3, "things");
        progress.step();
        progress.step(2);
        QCOMPARE(seen, (std::vector<std::int64_t>{0, 1, 3}));
        source.request_stop();
        QVERIFY_EXCEPTION_THROWN(progress.step(), Cancelled);
    }

    void interval_needs_eight_windows() {
        const std::vector<double> seven(7, 2.0), eight(8, 2.0), counts(8, 1.0);
        QVERIFY(!perplexity_interval(seven, std::span(counts).first(7)));
        const auto interval = perplexity_interval(eight, counts);
        QVERIFY(interval);  // every window alike: no spread
        QVERIFY(std::abs(interval->low - std::exp(2.0)) < 1e-12 && std::abs(interval->high - std::exp(2.0)) < 1e-12);
    }

    void interval_holds_the_estimate_and_ratio_is_paired() {
        std::vector<double> sums, base, counts(40, 10.0);
        for (int i = 0; i < 40; ++i) {
            base.push_back(20 + i % 7);
            sums.push_back(base.back() + 5);  // each window worse by the same amount: the ratio has no spread
        }
        const auto own = perplexity_interval(sums, counts);
        const double estimate = std::exp(std::accumulate(sums.begin(), sums.end(), 0.0) / 400);
        QVERIFY(own->low < estimate && estimate < own->high);
        const auto ratio = perplexity_ratio_interval(sums, base, counts);
        QVERIFY(std::abs(ratio->low - std::exp(0.5)) < 1e-9 && std::abs(ratio->high - std::exp(0.5)) < 1e-9);
    }

    void table_prints_everywhere() {
        Table table{.columns = {{"name"}, {"perplexity", 2}}, .rows = {{std::string("a,b"), 1.2345}, {std::string("c"), {}}}};
        QCOMPARE(table.to_csv(), std::string("name,perplexity\r\n\"a,b\",1.2345\r\nc,\r\n"));
        QCOMPARE(table.to_markdown(), std::string("| name | perplexity |\n| --- | ---: |\n| a,b | 1.23 |\n| c | – |\n"));
        QCOMPARE(table.to_text(), std::string("name  perplexity\na,b         1.23\nc              –\n"));
    }

    void latex_escapes_what_latex_would_obey() {
        const Table table{.columns = {{"a & b"}, {"share (%)", 1}}, .rows = {{std::string("x_1 #2 $3 {4} ~ ^ \\"), 12.34}}};
        QCOMPARE(table.to_latex(),
                 std::string("% needs \\usepackage{booktabs}\n"
                             "\\begin{tabular}{lr}\n"
                             "\\toprule\n"
                             "a \\& b & share (\\%) \\\\\n"
                             "\\midrule\n"
                             "x\\_1 \\#2 \\$3 \\{4\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{} & 12.3 \\\\\n"
                             "\\bottomrule\n"
                             "\\end{tabular}\n"));
    }

    void notes_may_be_missing() {
        const Table table{.columns = {{"a"}, {"b"}}, .rows = {{1.0, 2.0}, {3.0, 4.0}}, .notes = {{"", "10 windows"}}};
        QCOMPARE(table.note(0, 1), std::string("10 windows"));
        QCOMPARE(table.note(0, 0) + table.note(1, 1), std::string());
    }

    void pooling_keeps_the_massive_cell() {
        Matrix m({4, 4}, 1.0);
        m.at(2, 1) = -9;
        const Matrix pooled = pooled_by_magnitude(m, 2);
        QCOMPARE(pooled.shape, (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(pooled.at(1, 0), -9.0);
        QCOMPARE(pooled.at(0, 0), 1.0);
    }
};

SUTURE_SUITE(TestValues)
#include "test_values.moc"
