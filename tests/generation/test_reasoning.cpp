// SPDX-License-Identifier: GPL-3.0-or-later
// Generate and check, on a model small enough to know what it writes.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/generation/reasoning.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;

namespace {

struct Stories {
    std::shared_ptr<const Model> model = Model::open(test::data("models/stories260K-hf"));
    std::shared_ptr<const Tokenizer> tokenizer = Tokenizer::open(model->folder());
};

std::filesystem::path write(const test::TemporaryFolder& folder, const std::string& text) {
    std::ofstream(folder.path() / "problems.jsonl", std::ios::binary) << text;
    return folder.path() / "problems.jsonl";
}

QString refusal(const std::string& text) {
    const test::TemporaryFolder folder;
    try {
        read_problems(write(folder, text), 0);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

ReasoningRow row(bool correct, bool ended) {
    Generation generation{.ids = {4, 2}, .text = "The answer is 7.", .ended = ended, .prompt_tokens = 3};
    return {{"3+4?", "7"}, generation, "7", correct};
}

}  // namespace

class TestReasoning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void problems() {
        const test::TemporaryFolder folder;
        const auto file =
            write(folder, "{\"prompt\":\"3+4?\",\"answer\":7,\"id\":1}\r\n\n{\"prompt\":\"x\",\"answer\":\"\\\\frac{1}{2}\"}");
        const auto found = read_problems(file, 0);
        QCOMPARE(found.list, std::vector<Problem>({{"3+4?", "7"}, {"x", "\\frac{1}{2}"}}));
        QCOMPARE(found.source, std::string("problems.jsonl"));
        QCOMPARE(read_problems(file, 1).list.size(), std::size_t(1));
        QVERIFY(refusal("{\"prompt\":\"x\"}").contains("line 1 has no text or number \"answer\""));
        QVERIFY(refusal("{\"prompt\":\"x\",\"answer\":1}\n[]").contains("line 2 is no JSON object"));
        QVERIFY(refusal("\n").contains("holds no problem"));
    }

    void prompts() {
        ReasoningSettings settings;
        settings.instruction = "Think.";
        QCOMPARE(reasoning_prompt({"3+4?", "7"}, std::nullopt, settings), std::string("3+4? Think."));
        settings.system = "Be brief.";
        const auto chat = ChatTemplate::recognise("<|im_start|><|im_end|>", "", "", "template");
        QCOMPARE(reasoning_prompt({"3+4?", "7"}, chat, settings),
                 std::string("<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n3+4? Think.<|im_end|>\n<|im_start|>assistant\n"));
    }

    void score() {
        ReasoningResult result{{row(true, true), row(false, true), row(true, false), row(true, true)}, {{"dtype", "float32"}}};
        QCOMPARE(result.accuracy(), 0.75);
        QVERIFY(std::abs(result.accuracy_stderr() - 0.25) < 1e-12);  // sample variance 4·0.75·0.25/3 = 0.25; sqrt(0.25 / 4)
        QCOMPARE(result.cut_off(), std::int64_t(1));
        const auto back = ReasoningResult::from_artefact(result.to_artefact());
        QCOMPARE(back.to_json(), result.to_json());
        QCOMPARE(back.rows[0].answer, std::optional<std::string>("7"));
        QCOMPARE(result.to_json()["rows"][1]["correct"], json(false));
    }

    void variants_side_by_side() {
        const Stories s;
        Problems problems{{{"Once upon a time", "nothing"}, {"The cat 5", "x"}}, "made here", "digest"};
        ReasoningSettings settings;
        settings.generation = {.max_tokens = 12};
        const std::vector<Variant> variants{{}, Variant(LayerSet({2}))};
        std::vector<std::pair<std::size_t, std::string>> rows;
        std::int64_t done = 0, total = 0;
        Progress progress({}, [&](const ProgressReport& r) { done = r.done, total = r.total; });
        const auto found = run_reasoning(
            s.model, s.tokenizer, variants, problems, settings, {},
            [&](std::size_t v, const ReasoningRow& r) { rows.emplace_back(v, r.generation.text); }, progress);
        QCOMPARE(total, std::int64_t(2 * 2 * 12));
        QCOMPARE(done, total);
        QCOMPARE(rows.size(), std::size_t(4));
        QCOMPARE(found[0].conditions["chat_form"], json("none"));
        Generator generator(s.model, s.tokenizer, variants, {});
        for (std::size_t p = 0; p < 2; ++p) {
            const auto alone = generator.run(prompt_ids(*s.tokenizer, problems.list[p].prompt), settings.generation, nullptr, progress);
            for (std::size_t v = 0; v < 2; ++v) {
                QCOMPARE(found[v].rows[p].generation.text, alone[v].text);
                QCOMPARE(rows[2 * p + v].second, alone[v].text);
            }
        }
        QVERIFY(!found[0].rows[0].correct);
    }

    void a_right_answer_counts() {
        // Whatever number the model writes last is declared to be the answer; so hot a model writes all tokens alike.
        const Stories s;
        ReasoningSettings settings;
        settings.generation = {.max_tokens = 200, .temperature = 1000, .seed = 1, .ignore_eos = true};
        Progress progress;
        const std::vector<Variant> dense(1);
        Problems problems{{{"1 2 3 4 5", "no number"}}, "", ""};
        const auto first = run_reasoning(s.model, s.tokenizer, dense, problems, settings, {}, nullptr, progress)[0].rows[0];
        QVERIFY(!first.correct);
        QVERIFY(first.answer.has_value());
        problems.list[0].answer = *first.answer;
        QVERIFY(run_reasoning(s.model, s.tokenizer, dense, problems, settings, {}, nullptr, progress)[0].rows[0].correct);
    }

    void keys() {
        const Stories s;
        const Problems problems{{{"a", "1"}}, "p", "digest"};
        ReasoningSettings settings;
        const Key key = reasoning_key(*s.model, {}, problems, settings, {});
        QVERIFY(key == reasoning_key(*s.model, {}, problems, settings, {}));
        settings.generation.seed = 1;
        QVERIFY(key != reasoning_key(*s.model, {}, problems, settings, {}));
        QVERIFY(key != reasoning_key(*s.model, Variant(LayerSet({1})), problems, {}, {}));
    }
};

SUTURE_SUITE(TestReasoning)
#include "test_reasoning.moc"
