// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tasks/internal/python_random.h"
#include "core/tasks/internal/strings.h"
#include "core/tasks/task.h"

namespace suture {
namespace {

/// Examples in front of one question after the other.
class Examples {
public:
    Examples(const TaskDocuments& task, std::int64_t count, std::int64_t seed) : task_(task), count_(count), random_(std::uint64_t(seed)) {
        const std::int64_t needed = count > 0 && task.draw == Draw::OneSpare ? count + 1 : count;
        if (needed > std::int64_t(task.examples.size()))
            throw usage_error(task.name + ": " + std::to_string(count) + " examples are asked for, but " +
                              (task.files.empty() ? "the task" : task.files.back()) + " holds only " +
                              std::to_string(task.examples.size()) + " to draw from");
    }

    std::string in_front_of(const Question& question) {
        std::string text;
        if (count_ == 0) return text;
        std::int64_t taken = 0;
        for (const std::int64_t i : draw()) {
            const Question& example = task_.examples[std::size_t(i)];
            if (taken == count_ || example == question) continue;  // never the question itself
            const Choice& right = example.choices[std::size_t(example.gold)];
            text += right.context + " " + right.answer + "\n\n";
            ++taken;
        }
        return text;
    }

private:
    std::vector<std::int64_t> draw() {
        const auto size = std::int64_t(task_.examples.size());
        if (task_.draw != Draw::InOrder) return random_.sample(size, task_.draw == Draw::OneSpare ? count_ + 1 : count_);
        std::vector<std::int64_t> first;
        for (std::int64_t i = 0; i < count_; ++i) first.push_back(i);
        return first;
    }

    const TaskDocuments& task_;
    std::int64_t count_;
    PythonRandom random_;
};

}  // namespace

std::int64_t fewshot_of(const TaskDocuments& task, const TaskSettings& settings) {
    return settings.fewshot < 0 ? task.usual_fewshot : settings.fewshot;
}

std::vector<PosedQuestion> documents_of(const TaskDocuments& task, const TaskSettings& settings) {
    Examples examples(task, fewshot_of(task, settings), settings.fewshot_seed);
    std::vector<PosedQuestion> documents;
    for (const Question& question : task.questions) {
        if (settings.limit > 0 && std::int64_t(documents.size()) == settings.limit) break;
        const std::string front = task.description + examples.in_front_of(question);
        PosedQuestion document{.requests = {}, .characters = {}, .bytes = {}, .gold = question.gold};
        for (const Choice& choice : question.choices) {
            document.requests.push_back({front + choice.context, " " + choice.answer});
            document.characters.push_back(code_points(choice.answer));
            document.bytes.push_back(std::int64_t(choice.answer.size()));
        }
        documents.push_back(std::move(document));
    }
    return documents;
}

}  // namespace suture
