// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/evaluation.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

/// Windows of ten predicted tokens with these perplexities: the whole has their geometric mean.
std::shared_ptr<const Evaluation> evaluation(const std::vector<double>& perplexities, const std::string& text = "wiki.txt") {
    auto result = std::make_shared<Evaluation>();
    for (const double p : perplexities) result->windows.push_back({10 * std::log(p), 10});
    result->conditions = text_conditions;
    result->conditions["text"] = text;
    result->conditions["text_sha256"] = text;
    return result;
}

std::vector<EvaluationRow> three_rows() {
    return {{"dense", "Dense", Role::Dense, evaluation({2, 2})},
            {"none", "No repair", Role::Unpatched, evaluation({2, 8})},                       // 4
            {"linearpatch", "LinearPatch", Role::Patched, evaluation({2, 4.5}), true, 0.5}};  // 3
}

}  // namespace

class EvaluationFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_what_is_missing() {
        auto rows = three_rows();
        rows[0].evaluation = nullptr;
        QVERIFY(contains(window_perplexities(rows).empty, "dense"));
        QVERIFY(perplexity_bars(rows).empty.empty());
        for (auto& row : rows) row.evaluation = nullptr;
        QVERIFY(!perplexity_bars(rows).empty.empty());
        QVERIFY(contains(perplexity_bars({}).empty, "evaluate"));
    }

    void bars_by_role() {
        const Figure figure = perplexity_bars(three_rows());
        QCOMPARE(figure.x.labels, (std::vector<std::string>{"Dense", "No repair", "LinearPatch (stale)"}));
        QCOMPARE(figure.series.size(), std::size_t(3));
        const Series patched = series_named(figure, "repaired");
        QVERIFY(near(series_named(figure, "dense").y, {2}) && near(series_named(figure, "removed, no repair").y, {4}));
        QVERIFY(near(patched.x, {2}) && near(patched.y, {3}) && patched.role == Role::Patched && patched.low.empty());
        QCOMPARE(figure.caption, std::string("wiki.txt, 2 × 3 tokens, no BOS · too few windows for intervals"));
        QVERIFY(contains(figure.to_csv(), "removed, no repair") && contains(figure.to_csv(), ",,,LinearPatch (stale)\r\n"));
    }

    void bars_leave_no_gap_for_what_was_not_evaluated() {
        auto rows = three_rows();
        rows[1].evaluation = nullptr;
        const Figure figure = perplexity_bars(rows);
        QVERIFY(near(series_named(figure, "repaired").x, {1}));
        QCOMPARE(figure.x.labels.size(), std::size_t(2));
    }

    void intervals_from_eight_windows_on() {
        const std::vector<EvaluationRow> rows{{"dense", "Dense", Role::Dense, evaluation(std::vector<double>(8, 5.0))}};
        const Series bars = series_named(perplexity_bars(rows), "dense");
        QVERIFY(bars.low.size() == 1 && bars.high.size() == 1);
        QVERIFY(std::abs(bars.low[0] - 5) < 1e-9 && std::abs(bars.high[0] - 5) < 1e-9);  // all windows alike: no spread
    }

    void window_by_window() {
        const Figure figure = window_perplexities(three_rows());
        const Series unpatched = series_named(figure, "No repair");
        QVERIFY(near(unpatched.x, {2, 2}));
        QVERIFY(std::abs(unpatched.y[0] - 2) < 1e-9 && std::abs(unpatched.y[1] - 8) < 1e-9);
        QCOMPARE(unpatched.point_labels[1], std::string("window 1"));
        const Series equal = series_named(figure, "as good as dense");
        QVERIFY(equal.x == equal.y && near(equal.x, {2, 2}));
        QVERIFY(figure.x.log && figure.y.log);
    }

    void other_texts_are_not_compared() {
        auto rows = three_rows();
        rows[1].evaluation = evaluation({2, 8}, "other.txt");
        QCOMPARE(window_perplexities(rows).series.size(), std::size_t(2));  // LinearPatch and the line
        const Table table = evaluation_table(rows);
        QCOMPARE(table.text(1, 3), std::string("–"));
        QCOMPARE(table.text(2, 5), std::string("–"));
        rows.pop_back();
        QVERIFY(contains(window_perplexities(rows).empty, "dense model's text"));
    }

    void table_of_variants() {
        auto rows = three_rows();
        rows.push_back({"ridge", "Least squares"});
        const Table table = evaluation_table(rows);
        QCOMPARE(table.rows.size(), std::size_t(4));
        const auto row_text = [&](std::size_t r) {
            std::string line;
            for (std::size_t c = 0; c < table.columns.size(); ++c) line += (c ? "|" : "") + table.text(r, c);
            return line;
        };
        QCOMPARE(row_text(0), std::string("Dense|2.000||–|–|–|–|2|20|fresh"));
        QCOMPARE(row_text(1), std::string("No repair|4.000||2.000||–|–|2|20|fresh"));
        QCOMPARE(row_text(2), std::string("LinearPatch|3.000||1.500||-25.0|0.5000|2|20|stale"));
        QCOMPARE(row_text(3), std::string("Least squares|–|–|–|–|–|–|–|–|not evaluated"));
    }

    void table_with_intervals() {
        const std::vector<EvaluationRow> rows{{"dense", "Dense", Role::Dense, evaluation(std::vector<double>(8, 5.0))},
                                              {"none", "No repair", Role::Unpatched, evaluation(std::vector<double>(8, 10.0))}};
        const Table table = evaluation_table(rows);
        QCOMPARE(table.text(0, 2), std::string("5.000 – 5.000"));
        QCOMPARE(table.text(1, 4), std::string("2.000 – 2.000"));
        QVERIFY(contains(table.to_csv(), "No repair,10,10.00 – 10.00,2,2.000 – 2.000,,,8,80,fresh\r\n"));
    }
};

SUTURE_SUITE(EvaluationFigures)
#include "evaluation_test.moc"
