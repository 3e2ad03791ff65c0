// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// SuperGLUE calls the answer "label", the original release "answer".
Question read_question(const Record& record) {
    const std::string context = record.text("passage") + "\nQuestion: " + record.text("question") + "?\nAnswer:";
    return {.choices = {{context, "no"}, {context, "yes"}}, .gold = record.choice(record.has("label") ? "label" : "answer", 2)};
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "boolq", .draw = Draw::OneSpare};
    const auto read_file = [&](const std::filesystem::path& file) { return files.questions(file, read_question); };
    task.questions = read_file(files.find({"boolq/val.jsonl", "boolq/dev.jsonl", "BoolQ/val.jsonl"}));
    files.examples(task, {"boolq/train.jsonl", "BoolQ/train.jsonl"}, std::nullopt, read_file);
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_boolq;
const Task task_boolq{
    .order = 2,
    .name = "boolq",
    .label = "BoolQ",
    .help = "Yes/no questions about a passage (3,270).",
    .version = 2,
    .read = read,
};

}  // namespace suture
