// SPDX-License-Identifier: GPL-3.0-or-later
// From request strings to log-likelihoods.
#include <QtTest/QtTest>
#include <numeric>

#include "core/base/error.h"
#include "core/evaluation/evaluation.h"
#include "core/tasks/internal/encoding.h"
#include "core/tasks/internal/prefix_tree.h"
#include "tests/support/suites.h"
#include "tests/tasks/task_support.h"

using namespace suture;
using test::read_one;
using test::TaskFolder;

namespace {

/// One id per byte, so that any checkpoint can be asked.
class ByteTokenizer : public Tokenizer {
public:
    explicit ByteTokenizer(std::int64_t size) : size_(size) { special_.bos = 1; }
    std::vector<std::int64_t> encode(std::string_view text) const override {
        std::vector<std::int64_t> ids;
        for (const char c : text) ids.push_back(static_cast<unsigned char>(c) % size_);
        return ids;
    }
    std::string decode(std::span<const std::int64_t>) const override { return {}; }
    std::string token_text(std::int64_t) const override { return {}; }
    std::int64_t vocabulary_size() const override { return size_; }
    std::string description() const override { return "bytes"; }

private:
    std::int64_t size_;
};

std::shared_ptr<const Model> stories() { return Model::open(test::data("models/stories260K-hf")); }
std::shared_ptr<const Tokenizer> stories_tokenizer() { return Tokenizer::open(test::data("models/stories260K-hf")); }

/// Questions that share their beginnings in every way: examples in front, equal contexts, a choice that begins another, choices of
/// one token, equal choices, contexts that differ in the middle.
TaskDocuments tangled() {
    TaskDocuments task{.name = "tangled", .metrics = {"acc", "acc_norm"}};
    task.description = "Once upon a time there were questions about small animals. ";
    for (const char* animal : {"cat", "cart", "dog"}) {
        const std::string context = std::string("Lily saw a ") + animal + " in the big garden. What did she do then?";
        task.questions.push_back({{{context, "She ran to the house"},
                                   {context, "She ran to the house and told her mother all about it"},
                                   {context, "A"},
                                   {context, "B"},
                                   {context, "A"}},
                                  1});
        task.questions.push_back({{{std::string("The ") + animal + " was happy", "and it played."},
                                   {std::string("The ") + animal + "s were sad", "and it played."}},
                                  0});
    }
    task.questions.push_back({{{"", "Once"}, {"", "Yes"}}, 0});
    return task;
}

/// Log-likelihood of every request, each alone, by the perplexity of its own window.
std::vector<double> one_by_one(const std::shared_ptr<const Model>& model, const Variant& variant,
                               const std::vector<EncodedRequest>& requests) {
    std::vector<double> values;
    for (const EncodedRequest& request : requests) {
        Windows windows;
        windows.source = "a request";
        windows.ids.push_back(request.input);
        windows.ids[0].push_back(request.targets.back());
        windows.counted.emplace_back(windows.ids[0].size(), false);
        for (std::size_t t = request.first() + 1; t < windows.ids[0].size(); ++t) windows.counted[0][t] = true;
        Progress progress;
        values.push_back(-evaluate(model, std::span(&variant, 1), windows, {}, 0, progress)[0].nll_sum());
    }
    return values;
}

std::vector<double> values_of(const TaskResult& result) {
    std::vector<double> values;
    for (const TaskRow& row : result.rows) values.insert(values.end(), row.loglikelihood.begin(), row.loglikelihood.end());
    return values;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size() || a.empty()) return 1e9;
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

std::vector<TaskResult> run_one(const std::shared_ptr<const Model>& model, std::span<const Variant> variants, const Tokenizer& tokenizer,
                                const TaskDocuments& task, const TaskSettings& settings = {}, const ComputeSettings& compute = {}) {
    Progress progress;
    std::vector<TaskResult> list;
    for (auto& results : run_tasks(model, variants, tokenizer, std::span(&task, 1), settings, compute, progress))
        list.push_back(std::move(results.at(0)));
    return list;
}

Variant scaled(int before, double factor, const LayerSet& removed) {
    return Variant(removed).with_map(before,
                                     std::make_shared<const StreamMap>(StreamMap{.kind = "scalar", .scale = Array<double>({1}, factor)}));
}

const std::vector<Variant> dense(1);

}  // namespace

class TestRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void as_the_harness_scores_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("reference");
        QTest::addColumn<int>("fewshot");
        for (const char* task : {"arc_easy", "arc_challenge", "copa", "piqa", "winogrande", "wsc273"})
            QTest::newRow(task) << task << task << -1;
        QTest::newRow("mmlu 0-shot") << "mmlu_global_facts"
                                     << "mmlu_global_facts.0shot" << 0;
        QTest::newRow("mmlu 5-shot") << "mmlu_global_facts"
                                     << "mmlu_global_facts.5shot" << -1;
    }

    /// Log-likelihoods by lm_eval 0.4.4 with transformers, float32.
    void as_the_harness_scores() {
        QFETCH(QString, task);
        QFETCH(QString, reference);
        QFETCH(int, fewshot);
        const auto file = test::shared("reference/lm_eval-stories260K.json");
        SUTURE_NEEDS(file);
        const auto expected = test::read_json(file)["tasks"][reference.toStdString()];
        const TaskSettings settings{.fewshot = fewshot, .limit = expected["documents"].get<std::int64_t>()};
        const auto result =
            run_one(stories(), dense, *stories_tokenizer(), read_one(test::shared("qa"), task.toStdString(), settings), settings)[0];
        QCOMPARE(result.rows.size(), expected["rows"].size());
        double largest = 0;
        for (std::size_t r = 0; r < result.rows.size(); ++r) {
            const auto& row = expected["rows"][r];
            QCOMPARE(result.rows[r].gold, row["gold"].get<int>());
            QCOMPARE(result.rows[r].is_greedy, row["is_greedy"].get<std::vector<bool>>());
            largest = std::max(largest, largest_difference(result.rows[r].loglikelihood, row["loglikelihood"].get<std::vector<double>>()));
        }
        QVERIFY2(largest < 1e-3, qPrintable(QString::number(largest)));
        QCOMPARE(result.score("acc").value, expected["acc"].get<double>());
        if (expected.contains("acc_norm")) QCOMPARE(result.score("acc_norm").value, expected["acc_norm"].get<double>());
    }

    void together_equals_one_by_one_data() {
        QTest::addColumn<QString>("checkpoint");
        for (const char* checkpoint : {"llama", "gemma2", "qwen2_window", "phi3", "llama_yarn"}) QTest::newRow(checkpoint) << checkpoint;
    }

    /// Shared beginnings, batches and shared layers change nothing: every request equals itself alone.
    void together_equals_one_by_one() {
        QFETCH(QString, checkpoint);
        const auto model = Model::open(test::data("archs/" + checkpoint.toStdString()));
        const ByteTokenizer bytes(model->architecture().vocabulary);
        const TaskSettings settings{.task_bos = "never"};
        const int layers = model->architecture().layers;
        const std::vector<Variant> variants{
            {}, Variant(LayerSet({1})), scaled(2, 1.3, LayerSet({1})), scaled(layers, 0.7, LayerSet({layers - 1}))};
        const auto results = run_one(model, variants, bytes, tangled(), settings);
        const auto requests = encode_documents("tangled", documents_of(tangled(), settings), bytes, *model, settings);
        for (std::size_t v = 0; v < variants.size(); ++v) {
            const double difference = largest_difference(values_of(results[v]), one_by_one(model, variants[v], requests));
            QVERIFY2(difference < 2e-4, qPrintable(QString("variant %1: %2").arg(v).arg(difference)));
        }
        QVERIFY(largest_difference(values_of(results[0]), values_of(results[1])) > 1e-3);
    }

    void batches_of_one_equal_one_batch() {
        const auto task = tangled();
        const auto together = run_one(stories(), dense, *stories_tokenizer(), task)[0];
        const auto apart = run_one(stories(), dense, *stories_tokenizer(), task, {}, {.memory = 0.001})[0];
        QVERIFY(largest_difference(values_of(together), values_of(apart)) < 1e-4);
        TaskDocuments single = task;
        std::vector<double> alone;
        for (const Question& question : task.questions) {
            single.questions = {question};
            const auto values = values_of(run_one(stories(), dense, *stories_tokenizer(), single)[0]);
            alone.insert(alone.end(), values.begin(), values.end());
        }
        QVERIFY(largest_difference(values_of(together), alone) < 1e-4);
    }

    void greedy_is_the_likeliest_token() {
        // Nearly every story of the training text names its girl Lily.
        const auto model = stories();
        const auto tokenizer = stories_tokenizer();
        TaskDocuments task{.name = "greedy"};
        task.metrics = {"acc"};
        task.questions.push_back(
            {{{"Once upon a time, there was a little girl named", "Lily."}, {"Once upon a time, there was a little girl named", "zebra."}},
             0});
        const auto row = run_one(model, dense, *tokenizer, task)[0].rows[0];
        QVERIFY(row.is_greedy[0] && !row.is_greedy[1]);
        QVERIFY(row.loglikelihood[0] > row.loglikelihood[1]);
    }

    void the_border_between_context_and_continuation() {
        const auto model = stories();
        const ByteTokenizer bytes(512);
        const Encoding encoding(*model, {});
        // White space at the end of the context belongs to the continuation.
        const auto moved = encode_request({"ab \n", " c"}, bytes, encoding);
        QVERIFY(moved.input == (std::vector<std::int64_t>{'a', 'b', ' ', '\n', ' '}));
        QVERIFY(moved.targets == (std::vector<std::int64_t>{' ', '\n', ' ', 'c'}));
        QCOMPARE(moved.first(), std::size_t(1));
        // An empty context, or one of white space only, is one BOS; a BOS the continuation brings is not doubled.
        QVERIFY(encode_request({"", "xy"}, bytes, encoding).input == (std::vector<std::int64_t>{1, 'x'}));
        QVERIFY(encode_request({" ", "x"}, bytes, encoding).targets == (std::vector<std::int64_t>{' ', 'x'}));
        QVERIFY(encode_request({"", "\x01xy"}, bytes, encoding).input == (std::vector<std::int64_t>{1, 'x'}));
        QVERIFY_EXCEPTION_THROWN(encode_request({"ab", ""}, bytes, encoding), Error);
    }

    void the_continuation_is_cut_from_the_whole() {
        // Where a merge crosses the border, the ids of the context stay those of the context alone.
        const auto model = stories();
        const auto tokenizer = stories_tokenizer();
        const auto context = tokenizer->encode("Once upon a ti"), whole = tokenizer->encode("Once upon a time, there lived a dog");
        QVERIFY(!std::equal(context.begin(), context.end(), whole.begin()));  // or the example shows nothing
        const auto request = encode_request({"Once upon a ti", "me, there lived a dog"}, *tokenizer, Encoding(*model, {}));
        QVERIFY(std::equal(context.begin(), context.end(), request.input.begin()));
        QVERIFY(request.targets == std::vector<std::int64_t>(whole.begin() + std::ptrdiff_t(context.size()), whole.end()));
    }

    void long_prompts_lose_their_beginning() {
        const auto model = stories();
        const ByteTokenizer bytes(512);
        const Encoding four(*model, {.max_length = 4});
        const auto request = encode_request({"abcdef", "xy"}, bytes, four);  // the last 5 of abcdefxy, without the last
        QVERIFY(request.input == (std::vector<std::int64_t>{'d', 'e', 'f', 'x'}));
        QVERIFY(request.targets == (std::vector<std::int64_t>{'x', 'y'}));
        const auto longest = encode_request({"abcdef", "wxyz"}, bytes, four);  // as long as the model can be fed
        QVERIFY(longest.input == (std::vector<std::int64_t>{'f', 'w', 'x', 'y'}));
        QVERIFY_EXCEPTION_THROWN(encode_request({"a", "vwxyz"}, bytes, four), Error);
        QCOMPARE(Encoding(*model, {}).max_length, std::int64_t(512));
    }

    void bos_by_setting() {
        const auto model = stories();
        const ByteTokenizer bytes(512);
        const auto input = [&](const std::string& bos) {
            return encode_request({"ab", "c"}, bytes, Encoding(*model, {.task_bos = bos})).input;
        };
        QVERIFY(input("auto") == (std::vector<std::int64_t>{'a', 'b'}));
        QVERIFY(input("never") == input("auto"));
        QVERIFY(input("always") == (std::vector<std::int64_t>{1, 'a', 'b'}));
        const Encoding always(*model, {.task_bos = "always"});
        QVERIFY(encode_request({"\x01"
                                "ab",
                                "c"},
                               bytes, always)
                    .input == (std::vector<std::int64_t>{1, 'a', 'b'}));  // never twice
        QVERIFY(Encoding(*Model::open(test::data("archs/gemma2")), {}).bos);
        QVERIFY(!Encoding(*Model::open(test::data("archs/gemma2")), {.task_bos = "never"}).bos);
    }

    void a_tree_holds_every_request() {
        const ByteTokenizer bytes(512);
        const auto model = stories();
        const auto requests = encode_documents("tangled", documents_of(tangled(), {}), bytes, *model, {});
        const auto order = sorted_by_input(requests);
        const PrefixTree tree = prefix_tree(requests, order);
        std::int64_t all = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto& input = requests[order[i]].input;
            all += std::int64_t(input.size());
            std::size_t end = input.size();
            for (int n = tree.leaf[i]; n >= 0; n = tree.nodes[std::size_t(n)].parent) {  // the path spells the request
                const PrefixNode& node = tree.nodes[std::size_t(n)];
                QCOMPARE(node.end, end);
                QVERIFY(node.parent < n && node.depth == (node.parent < 0 ? 0 : tree.nodes[std::size_t(node.parent)].depth + 1));
                QVERIFY(std::equal(input.begin() + std::ptrdiff_t(node.begin), input.begin() + std::ptrdiff_t(node.end),
                                   requests[node.request].input.begin() + std::ptrdiff_t(node.begin)));
                end = node.begin;
            }
            QCOMPARE(end, std::size_t(0));
        }
        QVERIFY(tree.tokens() * 2 < all);  // most of it is shared
    }

    void few_tokens_run_when_beginnings_are_shared() {
        // 60 shared tokens, then 10, 20 and 1 of their own: 60 + 9 + 19 + 0 are fed, not 3 times 60.
        const std::string context(60, 'x');
        TaskDocuments task{.name = "t"};
        task.questions.push_back({{{context, std::string(9, 'a')}, {context, std::string(19, 'b')}, {context, ""}}, 0});
        const auto load = measure_tasks(*stories(), ByteTokenizer(512), std::span(&task, 1), {}, {});
        QCOMPARE(load.documents, std::int64_t(1));
        QCOMPARE(load.requests, std::int64_t(3));
        QCOMPARE(load.tokens, std::int64_t(60 * 3 + 9 + 19 + 0));
        QCOMPARE(load.distinct_tokens, std::int64_t(60 + 9 + 19));
    }

    void cancels_and_keeps_what_is_done() {
        const auto model = stories();
        const auto tokenizer = stories_tokenizer();
        std::vector<TaskDocuments> two{tangled(), tangled()};
        two[1].name = "second";
        Store store{std::filesystem::path()};
        std::stop_source stop;
        Progress cancelled(stop.get_token(), [&](const ProgressReport& report) {
            if (report.stage.find("second") != std::string::npos) stop.request_stop();
        });
        QVERIFY_EXCEPTION_THROWN(run_tasks(store, model, dense, *tokenizer, two, {}, {}, cancelled), Cancelled);
        QVERIFY(store.find(task_key(*model, {}, two[0], {}, {})));
        QVERIFY(!store.find(task_key(*model, {}, two[1], {}, {})));
        std::vector<std::string> stages;
        Progress progress({}, [&](const ProgressReport& report) { stages.push_back(report.stage); });
        const auto results = run_tasks(store, model, dense, *tokenizer, two, {}, {}, progress);
        QVERIFY(values_of(results[0][0]) == values_of(results[0][1]));
        QVERIFY(!stages.empty());
        for (const std::string& stage : stages) QVERIFY(stage.find("second") != std::string::npos);  // the first came from the store
    }

    void keys_follow_what_is_scored() {
        const auto model = stories();
        const auto key = [&](const TaskDocuments& task, const TaskSettings& settings, const Variant& variant = {}) {
            return task_key(*model, variant, task, settings, {});
        };
        const TaskDocuments task = tangled();
        TaskDocuments other = task;
        other.digest = "another file";
        QVERIFY(key(task, {}) == key(task, {}));
        QVERIFY(key(task, {}) != key(other, {}));
        QVERIFY(key(task, {}) != key(task, {}, Variant(LayerSet({1}))));
        for (const TaskSettings& settings :
             {TaskSettings{.fewshot = 1}, TaskSettings{.limit = 3}, TaskSettings{.task_bos = "always"}, TaskSettings{.max_length = 100}})
            QVERIFY(key(task, {}) != key(task, settings));
        QVERIFY(key(task, {.task_bos = "never"}) == key(task, {}));  // the same prompts
        QVERIFY(key(task, {.fewshot_seed = 7}) == key(task, {}));    // nothing is drawn
        QVERIFY(key(task, {.fewshot = 1, .fewshot_seed = 7}) != key(task, {.fewshot = 1}));
    }
};

SUTURE_SUITE(TestRun)
#include "test_run.moc"
