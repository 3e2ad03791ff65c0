// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/strict_json.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"

namespace suture {
namespace {

bool is_utf8(std::string_view text) {
    try {
        (void)nlohmann::json(text).dump();  // the serializer validates what it writes
        return true;
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

}  // namespace

std::string line_and_column(std::string_view text, std::size_t byte) {
    const auto before = text.substr(0, byte);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const auto last_break = before.rfind('\n');
    const auto column = last_break == std::string_view::npos ? byte : byte - last_break - 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column + 1);
}

void check_json_text(std::string_view text, const std::string& where) {
    if (!is_utf8(text)) throw Error(where + " is not UTF-8 text; the file is damaged, fetch or save it again");
    // The parser takes a zero byte for the end and would accept anything behind it.
    if (text.find('\0') != std::string_view::npos)
        throw Error(where + " contains a zero byte; the file is damaged, fetch or save it again");
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '{')
        throw Error(where + " is not a JSON object: expected '{' as its first character");
}

nlohmann::json parse_strict_json(std::string_view text, const std::string& where, int depth) {
    check_json_text(text, where);
    std::vector<std::set<std::string>> names;  // members seen so far, per open object
    const auto watch = [&](int level, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
        using Event = nlohmann::json::parse_event_t;
        if (level > depth) throw Error(where + " is nested deeper than " + std::to_string(depth) + " levels; the file is damaged");
        if (event == Event::object_start) names.emplace_back();
        if (event == Event::object_end) names.pop_back();
        if (event == Event::key && !names.back().insert(parsed.get<std::string>()).second)
            throw Error(where + " names \"" + parsed.get<std::string>() + "\" twice; only one of them can be meant, save the file again");
        return true;
    };
    try {
        return nlohmann::json::parse(text, watch);
    } catch (const nlohmann::json::parse_error& error) {
        throw Error(
            where + " is not valid JSON at " + line_and_column(text, error.byte ? error.byte - 1 : 0) + "; fetch or save the file again",
            Error::Kind::Input, error.what());
    }
}

}  // namespace suture
