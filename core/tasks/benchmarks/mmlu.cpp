// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/tasks/internal/strings.h"
#include "core/tasks/internal/task_files.h"

namespace suture {
namespace {

struct Group {
    std::string name;
    std::vector<std::string> subjects;
};

const std::vector<Group>& groups() {
    static const std::vector<Group> list{
        {"stem",
         {"abstract_algebra", "anatomy", "astronomy", "college_biology", "college_chemistry", "college_computer_science",
          "college_mathematics", "college_physics", "computer_security", "conceptual_physics", "electrical_engineering",
          "elementary_mathematics", "high_school_biology", "high_school_chemistry", "high_school_computer_science",
          "high_school_mathematics", "high_school_physics", "high_school_statistics", "machine_learning"}},
        {"other",
         {"business_ethics", "clinical_knowledge", "college_medicine", "global_facts", "human_aging", "management", "marketing",
          "medical_genetics", "miscellaneous", "nutrition", "professional_accounting", "professional_medicine", "virology"}},
        {"social_sciences",
         {"econometrics", "high_school_geography", "high_school_government_and_politics", "high_school_macroeconomics",
          "high_school_microeconomics", "high_school_psychology", "human_sexuality", "professional_psychology", "public_relations",
          "security_studies", "sociology", "us_foreign_policy"}},
        {"humanities",
         {"formal_logic", "high_school_european_history", "high_school_us_history", "high_school_world_history", "international_law",
          "jurisprudence", "logical_fallacies", "moral_disputes", "moral_scenarios", "philosophy", "prehistory", "professional_law",
          "world_religions"}},
    };
    return list;
}

/// Rows "question, A, B, C, D, letter", without a header.
std::vector<Question> read_questions(TaskFiles& files, const std::filesystem::path& file) {
    std::vector<Question> questions;
    for (const auto& row : files.csv(file)) {
        const std::string where = file.string() + ", row " + std::to_string(questions.size() + 1);
        if (row.size() != 6) throw Error(where + ": six fields were expected, " + std::to_string(row.size()) + " found");
        std::string context{strip(row[0])};
        for (std::size_t i = 0; i < 4; ++i) context += std::string("\n") + char('A' + i) + ". " + row[i + 1];
        context += "\nAnswer:";
        Question question{.gold = Record{{{"answer", std::string(strip(row[5]))}}, where}.letter("answer", 4)};
        for (const char* letter : {"A", "B", "C", "D"}) question.choices.push_back({context, letter});
        questions.push_back(std::move(question));
    }
    return questions;
}

/// The published archive has a folder per split; a flat folder is understood too.
std::vector<std::string> places(const std::string& subject, const std::string& split) {
    const std::string file = subject + "_" + split + ".csv";
    return {"mmlu/original-form/" + file, "mmlu/" + split + "/" + file, "mmlu/data/" + split + "/" + file, "mmlu/" + file};
}

TaskDocuments read_subject(const TaskSource& source, const std::string& subject, std::vector<std::string> groups) {
    TaskFiles files(source);
    const std::string words = replace_all(subject, "_", " ");
    TaskDocuments task{.name = "mmlu_" + subject,
                       .groups = std::move(groups),
                       .description = "The following are multiple choice questions (with answers) about " + words + ".\n\n",
                       .draw = Draw::InOrder};
    task.questions = read_questions(files, files.find(places(subject, "test")));
    if (source.examples) task.examples = read_questions(files, files.find(places(subject, "dev")));
    return files.finish(std::move(task));
}

/// Everything, one group, or one subject. Subjects that are not there are left out of a group, and that is said.
std::vector<TaskDocuments> read(const TaskSource& source) {
    std::vector<TaskDocuments> all;
    std::string missing;
    bool known = source.part.empty();
    for (const Group& group : groups())
        for (const std::string& subject : group.subjects) {
            if (subject == source.part) return {read_subject(source, subject, {})};
            if (!source.part.empty() && group.name != source.part) continue;
            known = true;
            std::vector<std::string> asked{"mmlu_" + group.name};
            if (source.part.empty()) asked.push_back("mmlu");
            if (TaskFiles(source).find_any(places(subject, "test"))) all.push_back(read_subject(source, subject, std::move(asked)));
            else missing += (missing.empty() ? "" : ", ") + subject;
        }
    if (!known)
        throw usage_error("mmlu has neither a group nor a subject \"" + source.part +
                          "\"; groups are stem, other, social_sciences and humanities");
    if (all.empty()) TaskFiles(source).find(places("anatomy", "test"));  // throws, naming the places
    if (!missing.empty()) all[0].warnings.push_back("mmlu is scored without the subjects whose files are not there: " + missing);
    return all;
}

}  // namespace

extern const Task task_mmlu;
const Task task_mmlu{
    .order = 9,
    .name = "mmlu",
    .label = "MMLU",
    .help = "Exam questions in 57 subjects; mmlu_GROUP or mmlu_SUBJECT for a part (14,042).",
    .usual_fewshot = 5,
    .part_separator = '_',
    .read = read,
};

}  // namespace suture
