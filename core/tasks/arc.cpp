// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/arc.h"

#include "core/tasks/internal/strings.h"

namespace suture {
namespace {

Question read_question(const Record& record) {
    if (!record.has("question") || !record.value["question"].is_object()) record.refuse("the object \"question\" is missing");
    const Record question{record.value["question"], record.where};
    const std::string context = "Question: " + question.text("stem") + "\nAnswer:", key = record.text("answerKey");
    Question result{.gold = -1};
    for (const auto& entry : question.array("choices")) {
        const Record choice{entry, record.where};
        if (choice.text("label") == key) result.gold = int(result.choices.size());
        result.choices.push_back({context, choice.text("text")});
    }
    if (result.gold < 0) record.refuse("answerKey \"" + key + "\" is the label of no choice");
    return result;
}

/// Where the set's file lies: alone, or as the published archive unpacks.
std::vector<std::string> places(const std::string& set, const std::string& split) {
    const std::string file = "ARC-" + set + "-" + split + ".jsonl";
    return {"arc/" + file, "arc/ARC-" + set + "/" + file, "arc/ARC-V1-Feb2018-2/ARC-" + set + "/" + file};
}

}  // namespace

std::vector<TaskDocuments> read_arc(const TaskSource& source, const std::string& set) {
    TaskFiles files(source);
    TaskDocuments task{.name = "arc_" + lower(set)};
    const auto read = [&](const std::filesystem::path& file) { return files.questions(file, read_question); };
    task.questions = read(files.find(places(set, "Test")));
    files.examples(task, places(set, "Train"), files.find_any(places(set, "Dev")), read);
    return {files.finish(std::move(task))};
}

}  // namespace suture
