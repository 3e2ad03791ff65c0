// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// The sentence up to the blank with each option put in; scored is what follows the blank.
Question read_question(const Record& record) {
    const std::string sentence = record.text("sentence"), answer = record.text("answer");
    const std::size_t blank = sentence.find('_');
    if (blank == sentence.npos) record.refuse("the sentence has no blank \"_\"");
    if (answer != "1" && answer != "2") record.refuse("\"answer\" is \"" + answer + "\", expected 1 or 2");
    const std::string before = sentence.substr(0, blank), after{strip(std::string_view(sentence).substr(blank + 1))};
    return {.choices = {{before + record.text("option1"), after}, {before + record.text("option2"), after}}, .gold = answer[0] - '1'};
}

/// Where the file lies: alone, or as the published archive unpacks.
std::vector<std::string> places(const std::string& file) {
    return {"winogrande/" + file, "winogrande/winogrande_1.1/" + file, "winogrande_1.1/" + file};
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "winogrande", .draw = Draw::OneSpare};
    const auto read_file = [&](const std::filesystem::path& file) { return files.questions(file, read_question); };
    auto names = places("dev.jsonl");
    names.push_back("requests/winogrande.dev.docs.jsonl");
    task.questions = read_file(files.find(names));
    files.examples(task, places("train_xl.jsonl"), std::nullopt, read_file);
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_winogrande;
const Task task_winogrande{
    .order = 5,
    .name = "winogrande",
    .label = "WinoGrande",
    .help = "Which of two names a pronoun-like blank stands for; scored is the rest of the sentence (1,267).",
    .read = read,
};

}  // namespace suture
