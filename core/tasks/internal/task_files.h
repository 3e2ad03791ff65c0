// SPDX-License-Identifier: GPL-3.0-or-later
// The files a task is read from: found under their usual names, hashed on the way, and errors that name file and line.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/key.h"
#include "core/tasks/task.h"

namespace suture {

/// One line of a JSON-lines file, or one JSON file.
struct Record {
    nlohmann::json value;
    std::string where;  ///< "FILE, line 3"

    bool has(const char* name) const { return value.contains(name); }
    /// The member; throws Error when it is absent or of another type.
    std::string text(const char* name) const;
    std::vector<std::string> texts(const char* name) const;
    const nlohmann::json& array(const char* name) const;
    /// A choice counted from 0: 1, "1", true or "true"; throws Error when it is not below `choices`.
    int choice(const char* name, std::size_t choices) const;
    /// "A" is 0; throws Error when it is not below `choices`.
    int letter(const char* name, std::size_t choices) const;
    [[noreturn]] void refuse(const std::string& reason) const;
};

class TaskFiles {
public:
    explicit TaskFiles(const TaskSource& source) : folder_(source.folder), wanted_(source.examples) {}

    /// The first of these names that exists below the data folder. Throws Error naming them all.
    std::filesystem::path find(const std::vector<std::string>& names) const;
    std::optional<std::filesystem::path> find_any(const std::vector<std::string>& names) const;

    /// The whole file without a byte-order mark. Throws Error when it can't be read or is not UTF-8.
    std::string text(const std::filesystem::path& file);
    /// The same for a file of another encoding, unaltered.
    std::string bytes(const std::filesystem::path& file);
    std::vector<std::string> lines(const std::filesystem::path& file);  ///< empty ones left out
    std::vector<Record> records(const std::filesystem::path& file);     ///< one JSON object per line
    /// RFC 4180: quoted fields may hold commas, line ends and doubled quotes.
    std::vector<std::vector<std::string>> csv(const std::filesystem::path& file);

    /// Questions from every record of `file`.
    template <class Read>
    std::vector<Question> questions(const std::filesystem::path& file, Read read) {
        std::vector<Question> list;
        for (const Record& record : records(file)) list.push_back(read(record));
        return list;
    }

    /// Examples, when they are wanted, from where the harness draws them, the training split; else, with a warning, from `otherwise`
    /// or the questions themselves.
    template <class Read>
    void examples(TaskDocuments& task, const std::vector<std::string>& training, const std::optional<std::filesystem::path>& otherwise,
                  Read read) {
        if (!wanted_) return;
        const auto file = find_any(training);
        if (file) task.examples = read(*file);
        else if (otherwise) task.examples = read(*otherwise);
        else task.examples = task.questions;
        if (!file) task.warnings.push_back(no_training(task, training, otherwise));
    }

    /// Writes files and digest. Throws Error when there is no question.
    TaskDocuments finish(TaskDocuments task);

private:
    static std::string no_training(const TaskDocuments& task, const std::vector<std::string>& training,
                                   const std::optional<std::filesystem::path>& otherwise);

    std::filesystem::path folder_;
    bool wanted_;
    std::vector<std::string> files_, digests_;
};

}  // namespace suture
