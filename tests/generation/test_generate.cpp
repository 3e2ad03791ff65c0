// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy text behind a prompt, with a cache, against transformers with and without one.
#include <QtTest/QtTest>

#include "core/base/error.h"
#include "core/generation/generate.h"
#include "core/generation/text_stream.h"
#include "core/model/internal/decoder.h"
#include "tests/support/data.h"
#include "tests/support/suites.h"

using namespace suture;
using nlohmann::json;
using Ids = std::vector<std::int64_t>;

namespace {

GenerationSettings greedy(std::int64_t tokens) { return {.max_tokens = tokens, .ignore_eos = true}; }

std::vector<Generation> generate(const std::shared_ptr<const Model>& model, const std::vector<Variant>& variants, const Ids& prompt,
                                 const GenerationSettings& settings, const ComputeSettings& compute = {}) {
    Generator generator(model, nullptr, variants, compute);
    Progress progress;
    return generator.run(prompt, settings, nullptr, progress);
}

/// The most likely token each time, the whole sequence computed anew.
Ids without_cache(const std::shared_ptr<const Model>& model, const Variant& variant, Ids ids, int count) {
    const c10::InferenceMode no_gradients;
    const Decoder decoder(model, {});
    Ids written;
    for (int i = 0; i < count; ++i) {
        auto x = decoder.embed(ids);
        for (const Step& step : variant.steps(model->architecture().layers))
            x = step.map ? apply_map(*step.map, x) : decoder.run(decoder.load(step), x);
        written.push_back(decoder.logits(x.narrow(0, x.size(0) - 1, 1)).argmax().item<std::int64_t>());
        ids.push_back(written.back());
    }
    return written;
}

Variant patched() {
    StreamMap map{.kind = "linearpatch", .scale = Array<double>({64}, 1.1), .hadamard = true};
    return Variant(LayerSet({2})).with_map(3, std::make_shared<const StreamMap>(std::move(map)));
}

struct Stories {
    std::shared_ptr<const Model> model = Model::open(test::data("models/stories260K-hf"));
    std::shared_ptr<const Tokenizer> tokenizer = Tokenizer::open(model->folder());
};

}  // namespace

class TestGenerate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_architecture_data() {
        QTest::addColumn<QString>("folder");
        for (const auto& entry : std::filesystem::directory_iterator(test::data("archs")))
            QTest::newRow(entry.path().filename().c_str()) << QString::fromStdString(entry.path().string());
    }
    void every_architecture() {
        QFETCH(QString, folder);
        const std::filesystem::path path(folder.toStdString());
        const auto model = Model::open(path);
        const json expected = test::read_json(path / "expected.json");
        const auto prompt = expected["input_ids"][0].get<Ids>();
        std::vector<Variant> variants(1);
        for (const json& cut : expected["prune"]) variants.emplace_back(LayerSet(cut["remove"].get<std::vector<int>>()));
        const auto found = generate(model, variants, prompt, greedy(8));
        QCOMPARE(found[0].ids, expected["greedy_with_cache"].get<Ids>());
        for (std::size_t v = 1; v < variants.size(); ++v) {
            const json& cut = expected["prune"][v - 1];
            QCOMPARE(found[v].ids, cut["greedy_with_cache"].get<Ids>());
            if (cut["cache_equal"]) QCOMPARE(found[v].ids, without_cache(model, variants[v], prompt, 8));
        }
        QCOMPARE(found[0].prompt_tokens, std::int64_t(prompt.size()));
    }

    void stories() {
        const Stories s;
        auto expected = test::read_json(test::data("models/stories260K-hf/expected_greedy.json"))["greedy_ids"].get<Ids>();
        const Ids prompt{expected[0]};
        expected.erase(expected.begin());
        const auto found = generate(s.model, {{}, patched()}, prompt, greedy(std::int64_t(expected.size())));
        QCOMPARE(found[0].ids, expected);
        const auto cut_text = generate(s.model, {patched()}, prompt, greedy(40))[0].ids;
        QCOMPARE(cut_text, without_cache(s.model, patched(), prompt, 40));
        QCOMPARE(Ids(found[1].ids.begin(), found[1].ids.begin() + 40), cut_text);  // alone as beside others
    }

    void layers_that_do_not_fit_are_read_anew() {
        const Stories s;
        Generator small(s.model, nullptr, {{}}, {.memory = 0.01}), large(s.model, nullptr, {{}}, {.dtype = "bfloat16", .memory = 0.01});
        QVERIFY(small.resident());   // float32 weights are views of the mapped file
        QVERIFY(!large.resident());  // bfloat16 ones would be copies
        Progress progress;
        const Ids prompt{1};
        const auto kept = generate(s.model, {{}}, prompt, greedy(10), {.dtype = "bfloat16"})[0].ids;
        QCOMPARE(large.run(prompt, greedy(10), nullptr, progress)[0].ids, kept);
    }

    void text_arrives_in_pieces() {
        const Stories s;
        Generator generator(s.model, s.tokenizer, {{}, Variant(LayerSet({2}))}, {});
        std::vector<std::string> texts(2);
        std::vector<Ids> ids(2);
        std::int64_t reports = 0;
        Progress progress({}, [&](const ProgressReport& r) { reports = r.done; });
        const auto prompt = prompt_ids(*s.tokenizer, "Once upon");
        QCOMPARE(prompt.front(), *s.tokenizer->bos());
        const auto found = generator.run(
            prompt, greedy(30),
            [&](std::size_t v, std::int64_t id, const std::string& text) {
                texts[v] += text;
                ids[v].push_back(id);
            },
            progress);
        for (std::size_t v = 0; v < 2; ++v) {
            QCOMPARE(texts[v], found[v].text);
            QCOMPARE(ids[v], found[v].ids);
            Ids whole = prompt;
            whole.insert(whole.end(), ids[v].begin(), ids[v].end());
            QCOMPARE("Once upon" + texts[v], s.tokenizer->decode(whole));
            QVERIFY(found[v].tokens_per_second() > 0 && found[v].prefill_seconds > 0);
        }
        QVERIFY(found[0].text.starts_with(" a time"));  // with its blank
        QCOMPARE(reports, std::int64_t(60));
    }

    void an_end_token_ends() {
        // The first greedy token, declared an end token, ends the text at once; ignored, it does not.
        const test::TemporaryFolder folder;
        for (const auto& entry : std::filesystem::directory_iterator(test::data("models/stories260K-hf")))
            std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
        std::ofstream(folder.path() / "generation_config.json") << R"({"eos_token_id": [2, 403]})";
        const auto model = Model::open(folder.path());
        QCOMPARE(end_ids(folder.path(), nullptr), Ids({2, 403}));
        const auto ended = generate(model, {{}}, {1}, {.max_tokens = 5})[0];
        QCOMPARE(ended.ids, Ids({403}));
        QVERIFY(ended.ended);
        const auto limited = generate(model, {{}}, {1}, greedy(5))[0];
        QCOMPARE(limited.ids.size(), std::size_t(5));
        std::filesystem::remove(folder.path() / "generation_config.json");
        QCOMPARE(end_ids(folder.path(), nullptr), Ids({2}));  // config.json's
        QCOMPARE(end_ids(folder.path() / "absent", nullptr), Ids());
    }

    void sampling_repeats_and_greedy_is_its_limit() {
        const Stories s;
        const GenerationSettings drawn{.max_tokens = 20, .temperature = 1, .seed = 3, .ignore_eos = true};
        const auto first = generate(s.model, {{}, {}}, {1}, drawn), second = generate(s.model, {{}}, {1}, drawn);
        QCOMPARE(first[0].ids, second[0].ids);
        QCOMPARE(first[0].ids, first[1].ids);  // equal variants draw alike
        GenerationSettings other = drawn;
        other.seed = 4;
        QVERIFY(generate(s.model, {{}}, {1}, other)[0].ids != first[0].ids);
        GenerationSettings narrow = drawn;
        narrow.top_k = 1;
        QCOMPARE(generate(s.model, {{}}, {1}, narrow)[0].ids, generate(s.model, {{}}, {1}, greedy(20))[0].ids);
    }

    void cancels_between_tokens() {
        const Stories s;
        std::stop_source stop;
        Progress progress(stop.get_token());
        Generator generator(s.model, nullptr, {{}}, {});
        int written = 0;
        const auto stop_after_three = [&](std::size_t, std::int64_t, const std::string&) {
            if (++written == 3) stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN(generator.run(Ids{1}, greedy(50), stop_after_three, progress), Cancelled);
        QCOMPARE(written, 3);
    }

    void refuses() {
        const Stories s;
        QVERIFY_EXCEPTION_THROWN(generate(s.model, {{}}, {}, greedy(1)), Error);
        QVERIFY_EXCEPTION_THROWN(generate(s.model, {{}}, {512}, greedy(1)), Error);
    }

    void a_character_of_several_tokens_comes_whole() {
        const Stories s;
        const auto ids = s.tokenizer->encode("a 💡 b");  // byte tokens
        TextStream stream(*s.tokenizer, {});
        std::string text;
        for (const auto id : ids) {
            const auto piece = stream.push(id);
            QVERIFY(piece.find("\uFFFD") == std::string::npos);
            text += piece;
        }
        QCOMPARE(text + stream.finish(), std::string("a 💡 b"));
        TextStream cut(*s.tokenizer, {});
        const auto bulb = s.tokenizer->encode("💡");
        std::string broken;
        for (std::size_t i = 0; i + 1 < bulb.size(); ++i) broken += cut.push(bulb[i]);
        QVERIFY(QString::fromStdString(broken + cut.finish()).contains(QChar(0xFFFD)));
    }
};

SUTURE_SUITE(TestGenerate)
#include "test_generate.moc"
