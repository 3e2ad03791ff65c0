// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/generation.h"

#include "tests/figures/hand_made.h"
#include "tests/support/suites.h"

using namespace suture;
using namespace suture::test;

namespace {

const std::vector<VariantLabel> variants{{"dense", "Dense", Role::Dense}, {"none", "No repair", Role::Unpatched}};

/// A prompt of two tokens and two new ones.
TokenLosses losses() { return {{"a", "b", "c", "d"}, 2, {{1, 2, 3}, {1.5, 4, 7}}}; }

ReasoningRow row(const std::string& found, bool correct, bool ended) {
    ReasoningRow r{{"What is\n1 + 1?", "so #### 2"}, {}, found, correct};
    r.generation.ended = ended;
    return r;
}

}  // namespace

class GenerationFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void says_what_is_missing() {
        QVERIFY(contains(loss_differences(variants, nullptr).empty, "prompt"));
        const TokenLosses text = losses();
        QVERIFY(contains(loss_differences({variants[0]}, &text).empty, "layers"));
    }

    void differences_of_losses() {
        const TokenLosses text = losses();
        const Figure figure = loss_differences(variants, &text);
        QCOMPARE(figure.series.size(), std::size_t(1));
        QVERIFY(near(figure.series[0].x, {1, 2, 3}) && near(figure.series[0].y, {0.5, 2, 4}));
        QCOMPARE(figure.series[0].point_labels[2], std::string("“d”"));
        QCOMPARE(figure.spans.at(0).to, 1.0);  // tokens 0 and 1 are the prompt
    }

    void table_of_texts() {
        const TokenLosses text = losses();
        Generation g;
        g.ids = {7, 8, 9};
        g.ended = true;
        g.prefill_seconds = 0.25;
        g.decode_seconds = 0.5;
        const std::vector<Generation> texts{g, g};
        const Table table = generation_table(variants, texts, &text);
        QCOMPARE(table.text(0, 1) + "|" + table.text(0, 2) + "|" + table.text(0, 4), std::string("3|by itself|4.0"));
        QCOMPARE(table.text(0, 5) + "|" + table.text(1, 5), std::string("2.500|5.500"));  // of the two new tokens only
    }

    void table_of_answers() {
        ReasoningResult result;
        result.rows = {row("2", true, true), row("3", false, false), row("4", false, true), row("5", false, true)};
        result.conditions = {{"problems", "sums.jsonl"}, {"settings", {{"temperature", 0.0}, {"max_tokens", 16}}}};
        const std::vector<ReasoningResult> results{result};
        const Table table = answers_table({variants[0]}, results);
        QCOMPARE(table.text(0, 1) + " of " + table.text(0, 2), std::string("1 of 4"));
        QCOMPARE(table.text(0, 3) + "|" + table.text(0, 4) + "|" + table.text(0, 5), std::string("25.0|25.0|1"));  // sqrt(¼·¾/3)
        QVERIFY(contains(table.note(0, 1), "sums.jsonl") && contains(table.note(0, 1), "greedy"));
    }

    void table_of_problems_lists_what_all_have_answered() {
        const Table table = problems_table(variants, {{row("2", true, true), row("2", true, true)}, {row("3", false, true)}});
        QCOMPARE(table.rows.size(), std::size_t(1));
        QCOMPARE(table.text(0, 0), std::string("What is 1 + 1?"));
        QCOMPARE(table.text(0, 1) + "|" + table.text(0, 2) + "|" + table.text(0, 3), std::string("2|✓ 2|✗ 3"));
    }
};

SUTURE_SUITE(GenerationFigures)
#include "generation_test.moc"
