// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/generation/reasoning.h"
#include "core/text/internal/text_file.h"

namespace suture {
namespace {

std::string member(const nlohmann::json& row, const char* name, const std::string& where) {
    const auto it = row.find(name);
    if (it != row.end() && it->is_string()) return it->get<std::string>();
    if (it != row.end() && it->is_number()) return it->dump();
    throw Error(where + " has no text or number \"" + name + R"("; every line is an object with "prompt" and "answer".)");
}

}  // namespace

Problems read_problems(const std::filesystem::path& file, std::int64_t limit) {
    const TextFile text = read_text(file, true);
    Problems result{{}, file.filename().string(), text.digest};
    std::int64_t number = 0;
    for (std::size_t begin = 0; begin < text.text.size() && (limit == 0 || std::int64_t(result.list.size()) < limit);) {
        const std::size_t end = std::min(text.text.find('\n', begin), text.text.size());
        const auto line = text.text.substr(begin, end - begin);
        begin = end + 1;
        const std::string where = file.string() + ", line " + std::to_string(++number);
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const auto row = nlohmann::json::parse(line, nullptr, false);
        if (!row.is_object()) throw Error(where + R"( is no JSON object; every line is an object with "prompt" and "answer".)");
        result.list.push_back({member(row, "prompt", where), member(row, "answer", where)});
    }
    if (result.list.empty()) throw Error(file.string() + R"( holds no problem; every line is an object with "prompt" and "answer".)");
    return result;
}

}  // namespace suture
