// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// "The man turned on the faucet therefore" + "  the toilet …": the answer brings a space of its own.
Question read_question(const Record& record) {
    const std::string premise{strip(record.text("premise"))}, kind = record.text("question");
    if (kind != "cause" && kind != "effect") record.refuse("\"question\" is \"" + kind + "\", expected cause or effect");
    const std::string context = premise.substr(0, premise.empty() ? 0 : premise.size() - 1) + (kind == "cause" ? " because" : " therefore");
    return {.choices = {{context, " " + lower_first(record.text("choice1"))}, {context, " " + lower_first(record.text("choice2"))}},
            .gold = record.choice("label", 2)};
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "copa", .draw = Draw::OneSpare};
    const auto read_file = [&](const std::filesystem::path& file) { return files.questions(file, read_question); };
    task.questions = read_file(files.find({"copa/val.jsonl", "COPA/val.jsonl"}));
    files.examples(task, {"copa/train.jsonl", "COPA/train.jsonl"}, std::nullopt, read_file);
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_copa;
const Task task_copa{
    .order = 8,
    .name = "copa",
    .label = "COPA",
    .help = "Which of two sentences is the cause or the effect of a third (100).",
    .read = read,
};

}  // namespace suture
