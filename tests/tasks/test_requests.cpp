// SPDX-License-Identifier: GPL-3.0-or-later
// From original files to request strings.
#include <QtTest/QtTest>
#include <set>

#include "core/base/error.h"
#include "core/tasks/internal/python_random.h"
#include "core/tasks/internal/strings.h"
#include "tests/support/suites.h"
#include "tests/tasks/task_support.h"

using namespace suture;
using test::read_one;
using test::TaskFolder;

namespace {

std::string message_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// A training line of each kind behind the letter.
std::string copa_line(const std::string& premise, int label) {
    return nlohmann::json{
               {"premise", premise + "."}, {"choice1", "One " + premise}, {"choice2", "Two"}, {"question", "cause"}, {"label", label}}
               .dump() +
           "\n";
}

}  // namespace

class TestRequests : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void as_the_harness_builds_them_data() {
        QTest::addColumn<QString>("task");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("fewshot");
        for (const char* task : {"arc_easy", "arc_challenge", "copa", "piqa", "winogrande", "wsc273"})
            QTest::newRow(task) << task << QString(task) + ".requests.jsonl" << -1;
        QTest::newRow("mmlu 0-shot") << "mmlu_global_facts"
                                     << "mmlu_global_facts.0shot.requests.jsonl" << 0;
        QTest::newRow("mmlu 5-shot") << "mmlu_global_facts"
                                     << "mmlu_global_facts.5shot.requests.jsonl" << -1;
    }

    void as_the_harness_builds_them() {
        QFETCH(QString, task);
        QFETCH(QString, file);
        QFETCH(int, fewshot);
        const auto folder = test::shared("qa");
        SUTURE_NEEDS(folder);
        const TaskSettings settings{.fewshot = fewshot};
        const auto documents = documents_of(read_one(folder, task.toStdString(), settings), settings);
        const auto expected = test::expected_requests(folder / "requests" / file.toStdString());
        QCOMPARE(documents.size(), expected.size());
        QVERIFY(expected.size() >= 100);
        for (std::size_t d = 0; d < documents.size(); ++d) {
            QCOMPARE(documents[d].gold, expected[d].gold);
            QCOMPARE(documents[d].requests.size(), expected[d].requests.size());
            for (std::size_t c = 0; c < expected[d].requests.size(); ++c) {
                QCOMPARE(documents[d].requests[c].context, expected[d].requests[c].context);
                QCOMPARE(documents[d].requests[c].continuation, expected[d].requests[c].continuation);
            }
            if (!expected[d].norm_len.empty()) QCOMPARE(documents[d].characters, expected[d].norm_len);
        }
    }

    void the_collection_as_csv_is_the_same() {
        const auto folder = test::shared("qa");
        SUTURE_NEEDS(folder);
        TaskFolder csv;
        std::filesystem::create_directory(csv.path() / "wsc273");
        std::filesystem::copy_file(folder / "wsc273/WSCollection.csv", csv.path() / "wsc273/WSCollection.csv");
        QVERIFY(read_one(csv.path(), "wsc273").questions == read_one(folder, "wsc273").questions);
    }

    void winograd_options_in_place() {
        TaskFolder folder;
        const auto schema = [](const std::string& one, const std::string& pronoun, const std::string& two, const std::string& a,
                               const std::string& answer) {
            return "<schema><text><txt1>" + one + "</txt1><pron>" + pronoun + "</pron><txt2>" + two + "</txt2></text><answers><answer>" +
                   a + "</answer><answer>Tom &amp; Jo</answer></answers><correctAnswer>" + answer + "</correctAnswer></schema>\n";
        };
        folder.write("wsc273/WSCollection.xml", "<collection>" + schema("Ann saw\n the dog.", " His ", " tail wags. ", "The dog", " A ") +
                                                    schema("", "They", "left The inn", "The men of The inn", " B. ") + "</collection>");
        const auto questions = read_one(folder.path(), "wsc273").questions;
        // Behind a full stop the article keeps its capital; a possessive pronoun makes the option possessive.
        QCOMPARE(questions[0].choices[0].context, std::string("Ann saw the dog. The dog's"));
        QCOMPARE(questions[0].choices[1].context, std::string("Ann saw the dog. Tom & Jo's"));
        QCOMPARE(questions[0].choices[1].answer, std::string(" tail wags."));
        QCOMPARE(questions[0].gold, 0);
        // The pronoun opens the text: the look two characters back wraps to its end, "n"; every "The" of the option is lower-cased.
        QCOMPARE(questions[1].choices[0].context, std::string("the men of the inn"));
        QCOMPARE(questions[1].gold, 1);
    }

    void boolq_in_both_releases() {
        TaskFolder folder;
        folder.write("boolq/val.jsonl",
                     "{\"passage\": \"P.\", \"question\": \"is it\", \"label\": true}\n{\"passage\": \"P.\", \"question\": \"q\", "
                     "\"label\": \"false\"}\n\n{\"passage\": \"P.\", \"question\": \"q\", \"answer\": true}\n");
        const auto documents = documents_of(read_one(folder.path(), "boolq"), {});
        QCOMPARE(documents.size(), std::size_t(3));
        QVERIFY(documents[0].requests[0] == (Request{"P.\nQuestion: is it?\nAnswer:", " no"}));
        QVERIFY(documents[0].requests[1] == (Request{"P.\nQuestion: is it?\nAnswer:", " yes"}));
        QCOMPARE(documents[0].gold, 1);
        QCOMPARE(documents[1].gold, 0);
        QCOMPARE(documents[2].gold, 1);
    }

    void hellaswag_is_cleaned() {
        TaskFolder folder;
        // Written to meet every rule: " [title]", brackets with and without a line end inside, three spaces, capitalize()'s lower case.
        const nlohmann::json line{{"activity_label", "  Removing ice"},
                                  {"ctx_a", "Then, the man [header] How to [title] Do it   now."},
                                  {"ctx_b", "\xC3\x89l WRITES"},
                                  {"label", "3"},
                                  {"endings",
                                   {
                                       "a [b]c",
                                       " [d\n] e",
                                       "[title] x",
                                       ", [step] no",
                                   }}};
        folder.write("hellaswag/hellaswag_val.jsonl", line.dump());
        const auto document = documents_of(read_one(folder.path(), "hellaswag"), {})[0];
        QCOMPARE(document.requests[0].context, std::string("Removing ice: Then, the man How to. Do it  now. \xC3\x89l writes"));
        QCOMPARE(document.requests[0].continuation, std::string(" a c"));
        QCOMPARE(document.requests[1].continuation, std::string(" [d\n] e"));
        QCOMPARE(document.requests[2].continuation, std::string("  x"));
        QCOMPARE(document.requests[3].continuation, std::string(" , no"));
        QCOMPARE(document.gold, 3);
    }

    void winogrande_scores_what_follows_the_blank() {
        TaskFolder folder;
        folder.write("winogrande/dev.jsonl",
                     "{\"qID\": \"x\", \"sentence\": \"Ann beat Bo so _  got a _ prize. \", \"option1\": \"Ann\", \"option2\": \"Bo\", "
                     "\"answer\": \"2\"}");
        const auto document = documents_of(read_one(folder.path(), "winogrande"), {})[0];
        QVERIFY(document.requests[0] == (Request{"Ann beat Bo so Ann", " got a _ prize."}));
        QVERIFY(document.requests[1] == (Request{"Ann beat Bo so Bo", " got a _ prize."}));
        QCOMPARE(document.gold, 1);
    }

    void race_asks_the_last_problem() {
        TaskFolder folder;
        const auto article = [](const std::string& text) {
            return nlohmann::json{{"article", text},
                                  {"questions", {"What is it?", "The writer likes  _  .", "We learn that"}},
                                  {"options", {{"a", "b", "c", "d"}, {"e", "f", "g", "h"}, {"i", "j", "k", "l"}}},
                                  {"answers", {"B", "C", "D"}},
                                  {"id", "high1.txt"}}
                .dump();
        };
        folder.write("race/test/high/10.txt", article("Ten."));
        folder.write("race/test/high/9.txt", article("Nine."));
        const auto documents = documents_of(read_one(folder.path(), "race"), {});
        QCOMPARE(documents.size(), std::size_t(2));
        // lm_eval 0.4.4 keeps the last five characters of an earlier question that ends in a blank.
        QCOMPARE(documents[0].requests[0].context,
                 std::string("Article: Nine.\n\nQuestion: What is it?\nAnswer: b\n _  .g\nWe learn that"));
        QVERIFY(documents[1].requests[0].context.starts_with("Article: Ten."));
        QCOMPARE(documents[0].requests[2].continuation, std::string(" k"));
        QCOMPARE(documents[0].gold, 3);
    }

    void copa_takes_the_last_character_off() {
        TaskFolder folder;
        folder.write("copa/val.jsonl", copa_line("  I ran", 1));
        const auto document = documents_of(read_one(folder.path(), "copa"), {})[0];
        QVERIFY(document.requests[0] == (Request{"I ran because", "  one   I ran"}));
        QVERIFY(document.requests[1] == (Request{"I ran because", "  two"}));
    }

    void mmlu_groups() {
        TaskFolder folder;
        for (const char* subject : {"anatomy", "virology", "astronomy"}) {
            folder.write("mmlu/test/" + std::string(subject) + "_test.csv", "\" A \"\"b\"\", c\n\",1,2,3,\"4,5\",C\r\n");
            folder.write("mmlu/dev/" + std::string(subject) + "_dev.csv", "e,1,2,3,4,A\nf,1,2,3,4,B\n");
        }
        const auto all = read_tasks(folder.path(), {"mmlu"}, {.fewshot = 1});
        QCOMPARE(all.size(), std::size_t(3));
        QVERIFY(all[0].groups == (std::vector<std::string>{"mmlu_stem", "mmlu"}));
        QVERIFY(all[0].warnings.size() == 1 && all[0].warnings[0].find("abstract_algebra") != std::string::npos);
        QVERIFY(all[2].groups == (std::vector<std::string>{"mmlu_other", "mmlu"}));
        QCOMPARE(read_tasks(folder.path(), {"mmlu_stem"}, {}).size(), std::size_t(2));
        const auto document = documents_of(read_one(folder.path(), "mmlu_virology"), {.fewshot = 1})[0];
        QCOMPARE(document.requests[2].context,
                 std::string("The following are multiple choice questions (with answers) about virology.\n\ne\nA. 1\nB. 2\nC. 3\nD. "
                             "4\nAnswer: A\n\nA \"b\", c\nA. 1\nB. 2\nC. 3\nD. 4,5\nAnswer:"));
        QCOMPARE(document.requests[2].continuation, std::string(" C"));
        QCOMPARE(document.gold, 2);
        QVERIFY(message_of([&] { documents_of(read_one(folder.path(), "mmlu_virology"), {.fewshot = 3}); }).find("holds only 2") !=
                std::string::npos);
    }

    void every_subject_of_mmlu_once() {
        TaskFolder empty;
        std::string message = message_of([&] { read_tasks(empty.path(), {"mmlu"}, {}); });
        QVERIFY(message.find("mmlu/test/anatomy_test.csv") != std::string::npos);
        empty.write("mmlu/anatomy_test.csv", "q,1,2,3,4,A\n");
        const auto warning = read_tasks(empty.path(), {"mmlu"}, {.fewshot = 0}).at(0).warnings.at(0);
        QCOMPARE(std::count(warning.begin(), warning.end(), ','), 55);  // 57 subjects, one of them there
    }

    void own_questions() {
        TaskFolder folder;
        folder.write("mine.jsonl",
                     "{\"context\": \"E:\", \"choices\": [\"x\", \"y\"], \"gold\": 1, \"example\": true}\n"
                     "{\"id\": 7, \"context\": \"Q:\", \"choices\": [\"\xC3\xA9\", \"ab\", \"c\"], \"gold\": 2}\n"
                     "{\"contexts\": [\"A big\", \"A small\"], \"continuation\": \"dog\", \"gold\": 0}\n");
        const auto task = read_one(folder.path(), "jsonl:mine.jsonl", {.fewshot = 1});
        QCOMPARE(task.name, std::string("mine"));
        const auto documents = documents_of(task, {.fewshot = 1});
        QVERIFY(documents[0].requests[2] == (Request{"E: y\n\nQ:", " c"}));
        QVERIFY(documents[1].requests[1] == (Request{"E: y\n\nA small", " dog"}));
        QVERIFY(documents[0].characters == (std::vector<std::int64_t>{1, 2, 1}));  // code points
        QVERIFY(documents[0].bytes == (std::vector<std::int64_t>{2, 2, 1}));       // UTF-8 bytes
    }

    void mistakes_are_told_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("expected");
        QTest::newRow("no json") << "jsonl:x"
                                 << "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 0}\nno\n"
                                 << "line 2: is no JSON object";
        QTest::newRow("one choice") << "jsonl:x"
                                    << "{\"context\": \"a\", \"choices\": [\"b\"], \"gold\": 0}"
                                    << "at least two choices";
        QTest::newRow("gold") << "jsonl:x"
                              << "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 2}"
                              << "the choices are 0 to 1";
        QTest::newRow("gold as a text") << "jsonl:x"
                                        << "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 0}\n"
                                           "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": \"0\"}"
                                        << "line 2: \"gold\" is \"0\"; write the right choice as a number";
        QTest::newRow("equal choices") << "jsonl:x"
                                       << "{\"context\": \"a\", \"choices\": [\"b\", \"c\", \"b\"], \"gold\": 0}"
                                       << "line 1: two choices are equal";
        QTest::newRow("blank answer") << "jsonl:x"
                                      << "{\"context\": \"a\", \"choices\": [\"b\", \" \"], \"gold\": 0}"
                                      << "line 1: an answer is empty";
        QTest::newRow("no gold") << "jsonl:x"
                                 << "{\"context\": \"a\", \"choices\": [\"b\", \"c\"]}"
                                 << "\"gold\" is missing";
        QTest::newRow("misspelt") << "jsonl:x"
                                  << "{\"contxt\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 0}"
                                  << "\"contxt\" is no member";
        QTest::newRow("only examples") << "jsonl:x"
                                       << "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 0, \"example\": true}"
                                       << "hold no question";
        QTest::newRow("no file") << "jsonl:y"
                                 << ""
                                 << "none of y is there";
        QTest::newRow("no such task") << "hellaswg"
                                      << ""
                                      << "there is no task named \"hellaswg\"";
        QTest::newRow("no such subject") << "mmlu_cooking"
                                         << ""
                                         << "neither a group nor a subject \"cooking\"";
    }

    void mistakes_are_told() {
        QFETCH(QString, name);
        QFETCH(QString, content);
        QFETCH(QString, expected);
        TaskFolder folder;
        folder.write("x", content.toStdString());
        const QString message = QString::fromStdString(message_of([&] { read_one(folder.path(), name.toStdString()); }));
        QVERIFY2(message.contains(expected), qPrintable(message));
    }

    void asked_for_twice() {
        TaskFolder folder;
        folder.write("mmlu/anatomy_test.csv", "q,1,2,3,4,A\n");
        const auto twice = [&] { read_tasks(folder.path(), {"mmlu_anatomy", "mmlu_anatomy"}, {.fewshot = 0}); };
        QVERIFY(message_of(twice).find("mmlu_anatomy is asked for twice") != std::string::npos);
        const std::string line = "{\"context\": \"a\", \"choices\": [\"b\", \"c\"], \"gold\": 0}";
        folder.write("a/x.jsonl", line);
        folder.write("b/x.jsonl", line);  // as good a question as the other, but a file of its own
        const auto same_name = [&] { read_tasks(folder.path(), {"jsonl:a/x.jsonl", "jsonl:b/x.jsonl"}, {}); };
        QVERIFY(message_of(same_name).find("x is asked for twice") != std::string::npos);
    }

    void overlapping_groups_give_a_subject_once() {
        TaskFolder folder;
        for (const char* subject : {"anatomy", "virology"}) folder.write("mmlu/" + std::string(subject) + "_test.csv", "q,1,2,3,4,A\n");
        for (const auto& names : {std::vector<std::string>{"mmlu_stem", "mmlu"}, {"mmlu", "mmlu_stem"}, {"mmlu_anatomy", "mmlu"}}) {
            const auto all = read_tasks(folder.path(), names, {.fewshot = 0});
            QCOMPARE(all.size(), std::size_t(2));
            QCOMPARE(all[0].name, std::string("mmlu_anatomy"));
            QVERIFY(all[0].groups == (std::vector<std::string>{"mmlu_stem", "mmlu"}));  // the wider
            QVERIFY(all[1].groups == (std::vector<std::string>{"mmlu_other", "mmlu"}));
        }
    }

    // Numbers from Python 3.11: r = random.Random(seed); r.sample(range(size), count), one call after the other.
    void draws_as_python_does() {
        using Drawn = std::vector<std::int64_t>;
        PythonRandom small(1234);
        QVERIFY(small.sample(20, 3) == (Drawn{14, 3, 0}));
        QVERIFY(small.sample(20, 3) == (Drawn{2, 18, 1}));
        QVERIFY(small.sample(20, 3) == (Drawn{2, 3, 11}));
        PythonRandom large(1234);
        QVERIFY(large.sample(500, 6) == (Drawn{494, 398, 225, 59, 3, 46}));
        QVERIFY(large.sample(500, 6) == (Drawn{466, 482, 480, 413, 298, 17}));
        PythonRandom zero(0);
        QVERIFY(zero.sample(30, 8) == (Drawn{27, 12, 24, 13, 1, 8, 16, 15}));
        QVERIFY(zero.sample(5, 5) == (Drawn{3, 2, 1, 4, 0}));
        QVERIFY(zero.sample(85, 6) == (Drawn{64, 17, 36, 83, 12, 79}));  // the largest pool
        QVERIFY(zero.sample(86, 6) == (Drawn{32, 68, 77, 18, 39, 12}));  // the smallest set
        PythonRandom highest(4294967295u);
        QVERIFY(highest.sample(100000, 2) == (Drawn{83277, 81208}));
    }

    void examples_from_the_training_file() {
        TaskFolder folder;
        folder.write("copa/val.jsonl", copa_line("V", 0) + copa_line("W", 0));
        std::string training;
        for (char letter = 'a'; letter < 'u'; ++letter) training += copa_line(std::string(1, letter), 0);
        folder.write("copa/train.jsonl", training);
        const TaskSettings settings{.fewshot = 2};
        const auto task = read_one(folder.path(), "copa", settings);
        QVERIFY(task.warnings.empty());
        const auto documents = documents_of(task, settings);
        // copa names no test split, so the harness draws one more than it uses: 14 3 (0), then 2 18 (1) of 20.
        QCOMPARE(documents[0].requests[1].context, std::string("o because  one o\n\nd because  one d\n\nV because"));
        QCOMPARE(documents[1].requests[1].context, std::string("c because  one c\n\ns because  one s\n\nW because"));
        QVERIFY(documents_of(task, {.fewshot = 2, .fewshot_seed = 5})[0].requests[0] != documents[0].requests[0]);
    }

    void without_a_training_file_the_question_itself_is_no_example() {
        TaskFolder folder;
        folder.write("copa/val.jsonl", copa_line("a", 0) + copa_line("b", 0));
        const TaskSettings settings{.fewshot = 1};
        const auto task = read_one(folder.path(), "copa", settings);
        QVERIFY(task.warnings.size() == 1 && task.warnings[0].find("copa/train.jsonl is not there") != std::string::npos);
        const auto documents = documents_of(task, settings);
        QCOMPARE(documents[0].requests[0].context, std::string("b because  one b\n\na because"));
        QCOMPARE(documents[1].requests[0].context, std::string("a because  one a\n\nb because"));
        QVERIFY(read_one(folder.path(), "copa").warnings.empty());  // none wanted, nothing to say
    }

    void limit_takes_the_first() {
        TaskFolder folder;
        folder.write("copa/val.jsonl", copa_line("a", 0) + copa_line("b", 1) + copa_line("c", 0));
        const auto documents = documents_of(read_one(folder.path(), "copa"), {.limit = 2});
        QCOMPARE(documents.size(), std::size_t(2));
        QCOMPARE(documents[1].gold, 1);
    }

    void strings_are_python_s() {
        QCOMPARE(code_points("a\xC3\xA9\xF0\x9F\x98\x80"), std::int64_t(3));
        QCOMPARE(std::string(strip("\x1F\xC2\xA0 x y\xE3\x80\x80\n")), std::string("x y"));
        QCOMPARE(length_without_trailing_space("a \xE2\x80\x89"), std::size_t(1));
        QCOMPARE(length_without_trailing_space("  "), std::size_t(0));
        QCOMPARE(replace_all("a   b", "  ", " "), std::string("a  b"));  // one pass
        QCOMPARE(capitalize("\xC3\x89T\xC3\x89 ONE"), std::string("\xC3\x89t\xC3\xA9 one"));
        QCOMPARE(capitalize("\xC3\x9F"
                            "A"),
                 std::string("Ssa"));
        QCOMPARE(capitalize(""), std::string());
        QCOMPARE(lower_first("\xC3\x89T"), std::string("\xC3\xA9T"));
        QCOMPARE(collapse_space(" \n a \t b "), std::string("a b"));
    }

    void registry() {
        std::set<std::string> names;
        for (const Task* task : tasks()) {
            QVERIFY(names.insert(task->name).second);
            QVERIFY(task->help.ends_with("."));
            QVERIFY(!task->label.empty() && task->read && !task->metrics.empty());
        }
        QCOMPARE(names.size(), std::size_t(11));
    }
};

SUTURE_SUITE(TestRequests)
#include "test_requests.moc"
