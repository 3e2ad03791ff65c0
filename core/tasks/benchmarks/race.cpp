// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

struct Problem {
    std::string question;
    std::vector<std::string> options;
    int gold = 0;
    const std::string& answer() const { return options[std::size_t(gold)]; }
};

/// An article's problems: {questions, options, answers} as published, or {problems: [{question, options, answer}]}.
std::vector<Problem> problems_of(const Record& record) {
    std::vector<Problem> problems;
    if (record.has("problems")) {
        for (const auto& entry : record.array("problems")) {
            const Record problem{entry, record.where};
            auto options = problem.texts("options");
            const int gold = problem.letter("answer", options.size());
            problems.push_back({problem.text("question"), std::move(options), gold});
        }
        return problems;
    }
    const auto questions = record.texts("questions"), answers = record.texts("answers");
    const auto& options = record.array("options");
    if (questions.size() != answers.size() || questions.size() != options.size())
        record.refuse("questions, options and answers differ in number");
    for (std::size_t i = 0; i < questions.size(); ++i) {
        const Record one{{{"options", options[i]}, {"answer", answers[i]}}, record.where};
        auto texts = one.texts("options");
        const int gold = one.letter("answer", texts.size());
        problems.push_back({questions[i], std::move(texts), gold});
    }
    return problems;
}

/// An earlier problem with its answer. Of one that ends in a blank the harness keeps the last five characters only.
std::string answered(const Problem& problem) {
    if (!problem.question.ends_with("  _  .")) return "Question: " + problem.question + "\nAnswer: " + problem.answer() + "\n";
    return problem.question.substr(problem.question.size() - 5) + problem.answer() + "\n";
}

/// One question per article: its last problem, behind the article and the earlier ones.
Question read_question(const Record& record) {
    const auto problems = problems_of(record);
    std::string context = "Article: " + record.text("article") + "\n\n";
    for (std::size_t i = 0; i + 1 < problems.size(); ++i) context += answered(problems[i]);
    context += problems.back().question;
    Question question{.gold = problems.back().gold};
    for (const std::string& option : problems.back().options) question.choices.push_back({context, option});
    return question;
}

/// The published folder has one JSON file per article, named by its number.
std::vector<Question> read_articles(TaskFiles& files, const std::filesystem::path& place) {
    if (!std::filesystem::is_directory(place)) return files.questions(place, read_question);
    std::vector<std::filesystem::path> articles;
    for (const auto& entry : std::filesystem::directory_iterator(place))
        if (entry.path().extension() == ".txt") articles.push_back(entry.path());
    std::sort(articles.begin(), articles.end(), [](const auto& a, const auto& b) {
        const std::string x = a.stem().string(), y = b.stem().string();
        return x.size() != y.size() ? x.size() < y.size() : x < y;
    });
    std::vector<Question> questions;
    for (const auto& article : articles) {
        const Record record{nlohmann::json::parse(files.text(article), nullptr, false), article.string()};
        if (!record.value.is_object()) record.refuse("is no JSON object");
        questions.push_back(read_question(record));
    }
    return questions;
}

std::vector<std::string> places(const std::string& split) {
    return {"race/" + split + "/high", "race/RACE/" + split + "/high", "RACE/" + split + "/high", "race/" + split + ".jsonl"};
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "race"};
    const auto read_place = [&](const std::filesystem::path& place) { return read_articles(files, place); };
    task.questions = read_place(files.find(places("test")));
    files.examples(task, places("train"), files.find_any(places("dev")), read_place);
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_race;
const Task task_race{
    .order = 7,
    .name = "race",
    .label = "RACE-high",
    .help = "Reading comprehension from English exams, the last question of each article (1,045).",
    .version = 2,
    .read = read,
};

}  // namespace suture
