// SPDX-License-Identifier: GPL-3.0-or-later
// A person's own multiple-choice questions; docs/tasks.md describes the lines.
#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// {context, choices, gold}: as many answers behind one context. {contexts, continuation, gold}: one text behind several contexts.
Question read_question(const Record& record) {
    static const std::set<std::string> known{"context", "choices", "contexts", "continuation", "gold", "example", "id"};
    for (const auto& [name, value] : record.value.items())
        if (!known.contains(name)) record.refuse("\"" + name + "\" is no member that docs/tasks.md describes");
    Question question;
    if (record.has("contexts")) {
        for (const std::string& context : record.texts("contexts")) question.choices.push_back({context, record.text("continuation")});
    } else {
        const std::string context = record.text("context");
        for (const std::string& choice : record.texts("choices")) question.choices.push_back({context, choice});
    }
    if (question.choices.size() < 2) record.refuse("a question needs at least two choices");
    for (const Choice& choice : question.choices)
        if (strip(choice.answer).empty()) record.refuse("an answer is empty, so there is nothing to score; write its text");
    for (auto choice = question.choices.begin(); choice != question.choices.end(); ++choice)
        if (std::find(question.choices.begin(), choice, *choice) != choice)
            record.refuse("two choices are equal, so none of them can be told right; write different ones");
    if (record.has("gold") && !record.value["gold"].is_number_integer())
        record.refuse("\"gold\" is " + record.value["gold"].dump() + "; write the right choice as a number, counted from 0");
    question.gold = record.choice("gold", question.choices.size());
    return question;
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    if (source.part.empty()) throw usage_error("jsonl needs a file: write jsonl:FILE");
    TaskFiles files(source);
    TaskDocuments task{.name = std::filesystem::path(source.part).stem().string(), .draw = Draw::InOrder};
    for (const Record& record : files.records(files.find({source.part})))
        (record.value.value("example", false) ? task.examples : task.questions).push_back(read_question(record));
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_jsonl;
const Task task_jsonl{
    .order = 10,
    .name = "jsonl",
    .label = "Own questions",
    .help = "Your own multiple-choice questions: jsonl:FILE, one JSON object per line.",
    .metrics = {"acc", "acc_norm"},
    .part_separator = ':',
    .read = read,
};

}  // namespace suture
