// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// Questions {goal, sol1, sol2}; the right ones stand line by line in a file of their own.
std::vector<Question> read_pair(TaskFiles& files, const std::filesystem::path& file, const std::filesystem::path& labels) {
    const auto records = files.records(file);
    const auto right = files.lines(labels);
    if (records.size() != right.size())
        throw Error(labels.string() + ": has " + std::to_string(right.size()) + " labels for " + std::to_string(records.size()) +
                    " questions of " + file.filename().string());
    std::vector<Question> questions;
    for (std::size_t i = 0; i < records.size(); ++i) {
        if (right[i] != "0" && right[i] != "1") throw Error(labels.string() + ": label \"" + right[i] + "\" is neither 0 nor 1");
        const std::string context = "Question: " + records[i].text("goal") + "\nAnswer:";
        questions.push_back(
            {.choices = {{context, records[i].text("sol1")}, {context, records[i].text("sol2")}}, .gold = right[i][0] - '0'});
    }
    return questions;
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "piqa", .draw = Draw::OneSpare};
    task.questions = read_pair(files, files.find({"piqa/valid.jsonl"}), files.find({"piqa/valid-labels.lst"}));
    files.examples(task, {"piqa/train.jsonl"}, std::nullopt,
                   [&](const std::filesystem::path& file) { return read_pair(files, file, files.find({"piqa/train-labels.lst"})); });
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_piqa;
const Task task_piqa{
    .order = 4,
    .name = "piqa",
    .label = "PIQA",
    .help = "Which of two ways reaches a practical goal (1,838).",
    .metrics = {"acc", "acc_norm"},
    .read = read,
};

}  // namespace suture
