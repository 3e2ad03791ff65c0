// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

/// Takes out every "[…]" that closes on its own line, as the WikiHow part of the data needs.
std::string without_brackets(std::string_view text) {
    std::string result;
    while (true) {
        const auto open = text.find('['), close = open == text.npos ? open : text.find(']', open);
        if (close == text.npos) return result.append(text);
        const bool one_line = text.substr(open, close - open).find('\n') == text.npos;
        result.append(text.substr(0, one_line ? open : open + 1));
        text.remove_prefix(one_line ? close + 1 : open + 1);
    }
}

std::string clean(std::string_view text) { return replace_all(without_brackets(replace_all(strip(text), " [title]", ". ")), "  ", " "); }

Question read_question(const Record& record) {
    const std::string context = clean(record.text("activity_label") + ": " + record.text("ctx_a") + " " + capitalize(record.text("ctx_b")));
    Question question;
    for (const std::string& ending : record.texts("endings")) question.choices.push_back({context, clean(ending)});
    question.gold = record.choice("label", question.choices.size());
    return question;
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    TaskFiles files(source);
    TaskDocuments task{.name = "hellaswag", .draw = Draw::OneSpare};
    const auto read_file = [&](const std::filesystem::path& file) { return files.questions(file, read_question); };
    task.questions = read_file(files.find({"hellaswag/hellaswag_val.jsonl", "hellaswag/val.jsonl", "hellaswag/validation.jsonl"}));
    files.examples(task, {"hellaswag/hellaswag_train.jsonl", "hellaswag/train.jsonl"}, std::nullopt, read_file);
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_hellaswag;
const Task task_hellaswag{
    .order = 3,
    .name = "hellaswag",
    .label = "HellaSwag",
    .help = "Which ending follows a description of everyday events (10,042).",
    .metrics = {"acc", "acc_norm"},
    .read = read,
};

}  // namespace suture
