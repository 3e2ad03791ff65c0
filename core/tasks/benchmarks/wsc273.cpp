// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/wsc_collection.h"

namespace suture {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// The option as it reads in the pronoun's place.
std::string put_in_place(std::string option, const Schema& schema, const std::string& text, std::size_t pronoun_at) {
    if (is_one_of(lower(schema.pronoun), {"my", "his", "her", "our", "their"})) option += "'s";
    const std::string first = option.substr(0, option.find(' '));
    // The harness looks two characters back, which wraps to the end of the text when the pronoun opens it.
    const std::size_t before = pronoun_at >= 2 ? pronoun_at - 2 : text.size() + pronoun_at - 2;
    if (text[before] != '.' && is_one_of(first, {"A", "An", "The", "She", "He", "It", "They", "My", "His", "Her", "Their"}))
        return replace_all(option, first, lower(first));
    return option;
}

Question question_of(const Schema& schema) {
    std::string text{strip(schema.before + " " + schema.pronoun + " " + schema.behind)};
    const std::size_t pronoun_at = schema.before.empty() ? 0 : schema.before.size() + 1;
    const std::string rest = text.substr(pronoun_at + schema.pronoun.size());  // begins with a space
    Question question{.gold = schema.gold};
    for (const std::string& option : schema.options)
        question.choices.push_back({text.substr(0, pronoun_at) + put_in_place(option, schema, text, pronoun_at), rest});
    return question;
}

std::vector<TaskDocuments> read(const TaskSource& source) {
    constexpr std::size_t published = 273;  // the collection has grown since
    TaskFiles files(source);
    TaskDocuments task{.name = "wsc273"};
    for (const Schema& schema : read_wsc_collection(files)) {
        if (task.questions.size() == published) break;
        task.questions.push_back(question_of(schema));
    }
    if (source.examples) task.examples = task.questions;
    return {files.finish(std::move(task))};
}

}  // namespace

extern const Task task_wsc273;
const Task task_wsc273{
    .order = 6,
    .name = "wsc273",
    .label = "WSC273",
    .help = "Winograd schemas: what a pronoun refers to; scored is the rest of the sentence (273).",
    .read = read,
};

}  // namespace suture
