// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/corpus.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

/// Calls `use` with every line, without its line feed. What stands behind the last line feed is a line unless it is empty.
template <class Use>
void for_each_line(std::string_view text, Use use) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        use(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

std::string joined(const std::vector<std::string>& texts) {
    std::string result;
    for (const auto& text : texts) result += (&text == texts.data() ? "" : "\n\n") + text;
    return result;
}

}  // namespace

bool is_json_lines(const std::filesystem::path& file) { return file.extension() == ".jsonl"; }

std::vector<std::string> json_lines_field(std::string_view text, const std::string& field, const std::filesystem::path& file) {
    std::vector<std::string> result;
    std::int64_t number = 0;
    for_each_line(text, [&](std::string_view line) {
        const std::string where = file.string() + ", line " + std::to_string(++number);
        if (trimmed(line).empty()) return;
        const auto row = nlohmann::json::parse(line, nullptr, false);
        if (!row.is_object()) throw Error(where + " is no JSON object; a .jsonl file holds one per line.");
        const auto it = row.find(field);
        if (it == row.end()) {
            std::string names;
            for (const auto& [name, value] : row.items()) names += (names.empty() ? "" : ", ") + name;
            throw Error(where + " has no field \"" + field + "\"; it has: " + (names.empty() ? "none" : names) + ".");
        }
        if (!it->is_string()) throw Error(where + ": the field \"" + field + "\" holds no text.");
        result.push_back(it->get<std::string>());
    });
    return result;
}

std::string joined_wikitext_rows(std::string_view text) {
    std::vector<std::string> rows;
    for_each_line(text, [&](std::string_view line) { rows.push_back(trimmed(line).empty() ? "" : std::string(line) + "\n"); });
    return joined(rows);
}

std::string joined_ptb_rows(std::string_view text) {
    std::vector<std::string> rows;
    for_each_line(text, [&](std::string_view line) { rows.emplace_back(trimmed(line)); });
    return joined(rows);
}

TextFile read_corpus(const std::filesystem::path& file, const WindowSettings& settings, std::vector<std::string>& warnings) {
    TextFile result = read_text(file, settings.normalise_text);
    const std::string name = file.filename().string();
    if (is_json_lines(file)) {
        if (settings.text_field.empty())
            warnings.push_back(name + " is read as it stands, JSON included; --text-field NAME takes the texts of one field.");
        else result.text = joined(json_lines_field(result.text, settings.text_field, file));
        return result;
    }
    if (!settings.text_field.empty()) warnings.push_back("--text-field does not apply to " + name + ", which is no .jsonl file.");
    if (settings.text_rows == "wikitext") result.text = joined_wikitext_rows(result.text);
    if (settings.text_rows == "ptb") result.text = joined_ptb_rows(result.text);
    return result;
}

}  // namespace suture
