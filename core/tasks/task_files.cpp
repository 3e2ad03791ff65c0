// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/task_files.h"

#include <fstream>
#include <iterator>
#include <sstream>

#include "core/base/error.h"
#include "core/tasks/internal/strings.h"
#include "core/text/internal/unicode.h"

namespace suture {

namespace fs = std::filesystem;

void Record::refuse(const std::string& reason) const { throw Error(where + ": " + reason); }

std::string Record::text(const char* name) const {
    const auto it = value.find(name);
    if (it == value.end() || !it->is_string()) refuse(std::string("the text \"") + name + "\" is missing");
    return it->get<std::string>();
}

const nlohmann::json& Record::array(const char* name) const {
    const auto it = value.find(name);
    if (it == value.end() || !it->is_array() || it->empty()) refuse(std::string("the list \"") + name + "\" is missing");
    return *it;
}

std::vector<std::string> Record::texts(const char* name) const {
    std::vector<std::string> list;
    for (const auto& entry : array(name)) {
        if (!entry.is_string()) refuse(std::string("an entry of \"") + name + "\" is no text");
        list.push_back(entry.get<std::string>());
    }
    return list;
}

int Record::choice(const char* name, std::size_t choices) const {
    const auto it = value.find(name);
    if (it == value.end()) refuse(std::string("\"") + name + "\" is missing; a file without the right answers can't be scored");
    std::int64_t index = -1;
    if (it->is_boolean()) index = it->get<bool>() ? 1 : 0;
    else if (it->is_number_integer()) index = it->get<std::int64_t>();
    else if (*it == "true" || *it == "false") index = *it == "true" ? 1 : 0;
    else if (const auto text = it->is_string() ? it->get<std::string>() : ""; text.size() == 1 && text[0] >= '0' && text[0] <= '9')
        index = text[0] - '0';
    if (index < 0 || index >= std::int64_t(choices))
        refuse(std::string("\"") + name + "\" is " + it->dump() + ", but the choices are 0 to " + std::to_string(choices - 1));
    return int(index);
}

int Record::letter(const char* name, std::size_t choices) const {
    const std::string letter = text(name);
    const int index = letter.size() == 1 ? letter[0] - 'A' : -1;
    if (index < 0 || index >= int(choices)) refuse(std::string("\"") + name + "\" is \"" + letter + "\", which names no choice");
    return index;
}

std::optional<fs::path> TaskFiles::find_any(const std::vector<std::string>& names) const {
    for (const std::string& name : names)
        if (std::error_code ignored; fs::exists(folder_ / name, ignored)) return folder_ / name;
    return std::nullopt;
}

fs::path TaskFiles::find(const std::vector<std::string>& names) const {
    if (const auto file = find_any(names)) return *file;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    throw Error(folder_.string() + ": none of " + list + " is there; put the task's original file there, as docs/tasks.md tells");
}

std::string TaskFiles::bytes(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(stream)), {});
    if (!stream) throw Error(file.string() + ": can't be read");
    files_.push_back(file.filename().string());
    digests_.push_back(sha256_hex(content));
    return content;
}

std::string TaskFiles::text(const fs::path& file) {
    std::string content = bytes(file);
    if (const auto at = invalid_utf8(content))
        throw Error(file.string() + ": byte " + std::to_string(*at) + " is no UTF-8; convert the file to UTF-8");
    return content.starts_with("\xEF\xBB\xBF") ? content.substr(3) : content;
}

std::vector<std::string> TaskFiles::lines(const fs::path& file) {
    std::vector<std::string> list;
    std::istringstream stream(text(file));
    for (std::string line; std::getline(stream, line);)
        if (!strip(line).empty()) list.emplace_back(strip(line));
    return list;
}

std::vector<Record> TaskFiles::records(const fs::path& file) {
    std::vector<Record> list;
    std::istringstream stream(text(file));
    std::int64_t number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (strip(line).empty()) continue;
        Record record{nlohmann::json::parse(line, nullptr, false), file.string() + ", line " + std::to_string(number)};
        if (!record.value.is_object()) record.refuse("is no JSON object");
        list.push_back(std::move(record));
    }
    return list;
}

std::vector<std::vector<std::string>> TaskFiles::csv(const fs::path& file) {
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row{""};
    bool quoted = false;
    const std::string all = text(file);
    const auto end_row = [&] {
        if (row.size() > 1 || !row[0].empty()) rows.push_back(std::move(row));
        row = {""};
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const char c = all[i];
        const bool doubled = quoted && c == '"' && i + 1 < all.size() && all[i + 1] == '"';
        if (doubled) row.back() += all[i++];
        else if (c == '"' && (quoted || row.back().empty())) quoted = !quoted;
        else if (quoted) row.back() += c;
        else if (c == ',') row.emplace_back();
        else if (c == '\n') end_row();
        else if (c != '\r') row.back() += c;
    }
    if (quoted) throw Error(file.string() + ": a quoted field never ends");
    end_row();
    return rows;
}

std::string TaskFiles::no_training(const TaskDocuments& task, const std::vector<std::string>& training,
                                   const std::optional<fs::path>& otherwise) {
    return task.name + ": " + training.front() + " is not there; few-shot examples come from " +
           (otherwise ? otherwise->filename().string() : "the scored file itself") + ", not from the training split as in lm_eval";
}

TaskDocuments TaskFiles::finish(TaskDocuments task) {
    if (task.questions.empty()) throw Error(folder_.string() + ": the files of " + task.name + " hold no question");
    task.files = files_;
    std::string all;
    for (const std::string& digest : digests_) all += digest;
    task.digest = digests_.size() == 1 ? digests_[0] : sha256_hex(all);
    return task;
}

}  // namespace suture
