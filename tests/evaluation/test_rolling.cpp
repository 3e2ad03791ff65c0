// SPDX-License-Identifier: GPL-3.0-or-later
// Rolling perplexity against transformers and against the harness itself.
#include <QtTest/QtTest>
#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/rolling.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

std::vector<std::int64_t> counting(std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> ids(std::size_t(to - from));
    std::iota(ids.begin(), ids.end(), from);
    return ids;
}

struct Stories {
    std::shared_ptr<const Model> model = Model::open(test::data("models/stories260K-hf"));
    std::shared_ptr<const Tokenizer> tokenizer = Tokenizer::open(model->folder());

    RollingText text(const RollingSettings& settings, const std::filesystem::path& file = test::data("evaluation/wiki.excerpt.raw")) const {
        return rolling_text(*model, *tokenizer, file, settings);
    }
    std::vector<RollingEvaluation> evaluate(const RollingText& text, const std::vector<Variant>& variants = {{}}) const {
        Progress progress;
        return evaluate_rolling(model, variants, text, {}, progress);
    }
};

}  // namespace

class TestRolling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void windows_of_the_worked_example() {
        // Ids 0 … 9, prefix 99, length 4: [99] → 0 1 2 3; [3] → 4 5 6 7; [5 6 7] → 8 9.
        QCOMPARE(rolling_windows(counting(0, 10), 99, 4),
                 std::vector<RollingWindow>({{{99, 0, 1, 2, 3}, 4}, {{3, 4, 5, 6, 7}, 4}, {{5, 6, 7, 8, 9}, 2}}));
        QCOMPARE(rolling_windows(counting(0, 3), 99, 4), std::vector<RollingWindow>({{{99, 0, 1, 2}, 3}}));
        QCOMPARE(rolling_windows(counting(0, 4), 99, 4), std::vector<RollingWindow>({{{99, 0, 1, 2, 3}, 4}}));
        QCOMPARE(rolling_windows(counting(0, 5), 99, 4), std::vector<RollingWindow>({{{99, 0, 1, 2, 3}, 4}, {{0, 1, 2, 3, 4}, 1}}));
        QVERIFY(rolling_windows({}, 99, 4).empty());
    }

    void ratios_over_the_corpus() {
        RollingEvaluation e;
        e.documents = {{-6, 2, 10, 3}, {-3, 1, 20, 2}};
        QVERIFY(std::abs(e.word_perplexity() - std::exp(3.0)) < 1e-12);
        QVERIFY(std::abs(e.byte_perplexity() - std::exp(0.3)) < 1e-12);
        QVERIFY(std::abs(e.bits_per_byte() - 0.3 / std::log(2.0)) < 1e-12);
        QVERIFY(!e.interval());
    }

    void equals_transformers() {
        const Stories stories;
        const json reference = test::read_json(test::data("evaluation/rolling.json"));
        QCOMPARE(reference["results"].size(), std::size_t(4));
        for (const json& expected : reference["results"]) {
            const auto text =
                stories.text({.length = expected["length"], .encoding = expected["encoding"], .spacing = expected["spacing"]});
            const auto found = stories.evaluate(text)[0];
            QCOMPARE(found.documents.size(), expected["documents"].size());
            for (std::size_t d = 0; d < found.documents.size(); ++d) {
                const json& document = expected["documents"][d];
                QCOMPARE(found.documents[d].words, document["words"].get<std::int64_t>());
                QCOMPARE(found.documents[d].bytes, document["bytes"].get<std::int64_t>());
                QCOMPARE(found.documents[d].tokens, document["tokens"].get<std::int64_t>());
                QVERIFY(test::relative_difference(found.documents[d].loglikelihood, document["loglikelihood"]) < 1e-5);
            }
            QVERIFY(test::relative_difference(found.word_perplexity(), expected["word_perplexity"]) < 1e-4);
            QVERIFY(test::relative_difference(found.byte_perplexity(), expected["byte_perplexity"]) < 1e-4);
            QVERIFY(test::relative_difference(found.bits_per_byte(), expected["bits_per_byte"]) < 1e-4);
        }
    }

    void equals_the_harness() {
        const auto file = test::shared("text/wiki.test.raw"), reference = test::shared("reference/lm_eval-stories260K.json");
        SUTURE_NEEDS(file);
        SUTURE_NEEDS(reference);
        const json expected = test::read_json(reference);
        const Stories stories;
        auto text =
            stories.text({.length = expected["max_length"], .spacing = "as-is", .limit = std::int64_t(expected["rolling"].size())}, file);
        // The reference was made with a transformers that puts no second blank in front of a text that begins with one, whatever
        // tokenizer.json says.
        for (auto& document : text.documents)
            document.windows = rolling_windows(stories.tokenizer->encode(document.text.substr(1)), text.prefix, text.settings.length);
        QCOMPARE(text.prefix, expected["prefix_token_id"].get<std::int64_t>());
        const auto found = stories.evaluate(text)[0];
        for (std::size_t d = 0; d < found.documents.size(); ++d) {
            QCOMPARE(found.documents[d].bytes, expected["rolling"][d]["bytes"].get<std::int64_t>());
            QVERIFY(test::relative_difference(found.documents[d].loglikelihood, expected["rolling"][d]["loglikelihood"]) < 1e-5);
        }
    }

    void variants_together_equal_one_by_one() {
        const Stories stories;
        const auto text = stories.text({.length = 100, .limit = 1});
        const std::vector<Variant> variants{{}, Variant(LayerSet({2})), Variant(LayerSet({1, 2}))};
        const auto together = stories.evaluate(text, variants);
        for (std::size_t v = 0; v < variants.size(); ++v)
            QCOMPARE(together[v].documents, stories.evaluate(text, {variants[v]})[0].documents);
        QVERIFY(together[0].documents != together[1].documents);
    }

    void one_window_equals_plain_perplexity() {
        // A document that fits one window is the window [prefix, ids …] of the plain evaluation.
        const Stories stories;
        const auto text = stories.text({.length = 512, .limit = 0});
        const auto& document = text.documents[2];
        QCOMPARE(document.windows.size(), std::size_t(1));
        Windows windows;
        windows.ids = {document.windows[0].ids};
        windows.counted = {std::vector<bool>(windows.ids[0].size(), true)};
        Progress progress;
        const std::vector<Variant> dense(1);
        const auto plain = evaluate(stories.model, dense, windows, {}, 0, progress)[0];
        QVERIFY(test::relative_difference(-stories.evaluate(text)[0].documents[2].loglikelihood, plain.nll_sum()) < 1e-6);
    }

    void json_lines_and_whole_files() {
        const test::TemporaryFolder folder;
        std::ofstream(folder.path() / "c.jsonl") << "{\"text\":\"Once upon a time\"}\n{\"text\":\"there was\"}\n";
        const Stories stories;
        const auto rows = stories.text({}, folder.path() / "c.jsonl");
        QCOMPARE(rows.documents.size(), std::size_t(2));
        QCOMPARE(rows.documents[1].text, std::string("there was"));
        QCOMPARE(stories.text({.documents = "file"}).documents.size(), std::size_t(1));
    }

    void survives_the_store() {
        RollingEvaluation e;
        e.documents = {{-6.5, 2, 10, 3}, {-3.25, 1, 20, 2}};
        e.conditions = {{"length", 512}};
        const auto back = RollingEvaluation::from_artefact(e.to_artefact());
        QCOMPARE(back.documents, e.documents);
        QCOMPARE(back.to_json(), e.to_json());
        const Stories stories;
        const auto text = stories.text({});
        QVERIFY(rolling_key(*stories.model, {}, text, {}) != rolling_key(*stories.model, {}, stories.text({.length = 100}), {}));
        QVERIFY(rolling_key(*stories.model, {}, text, {}) == rolling_key(*stories.model, {}, stories.text({.length = 512}), {}));
    }

    void cancels() {
        std::stop_source stop;
        stop.request_stop();
        Progress progress(stop.get_token());
        const Stories stories;
        const std::vector<Variant> dense(1);
        QVERIFY_EXCEPTION_THROWN(evaluate_rolling(stories.model, dense, stories.text({}), {}, progress), Cancelled);
    }

    void refuses() {
        const Stories stories;
        QVERIFY_EXCEPTION_THROWN(stories.text({.length = 1}), Error);
        QVERIFY_EXCEPTION_THROWN(stories.text({.encoding = "0.4.3"}), Error);
        QVERIFY_EXCEPTION_THROWN(stories.text({}, test::data("evaluation/absent.raw")), Error);
    }
};

SUTURE_SUITE(TestRolling)
#include "test_rolling.moc"
