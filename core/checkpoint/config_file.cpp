// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/config_file.h"

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/internal/strict_json.h"

namespace suture {

std::string read_text_file(const std::filesystem::path& file) {
    const Error unreadable(file.string() + ": can't be read; check that it is a file and its permissions");
    if (!std::filesystem::exists(file)) throw Error(file.string() + ": there is no such file; check the folder or fetch it again");
    if (!std::filesystem::is_regular_file(file)) throw unreadable;
    std::ifstream in(file, std::ios::binary);
    if (!in) throw unreadable;
    try {
        return {std::istreambuf_iterator<char>(in), {}};
    } catch (const std::ios_base::failure&) {
        throw unreadable;
    }
}

nlohmann::ordered_json read_json_file(const std::filesystem::path& file) {
    constexpr int deepest = 64;
    const std::string text = read_text_file(file);
    check_json_text(text, file.string() + ":");
    const auto bounded = [&](int depth, nlohmann::ordered_json::parse_event_t, nlohmann::ordered_json&) {
        if (depth > deepest)
            throw Error(file.string() + ": is nested deeper than " + std::to_string(deepest) + " levels; the file is damaged");
        return true;
    };
    try {
        return nlohmann::ordered_json::parse(text, bounded);
    } catch (const nlohmann::json::parse_error& error) {
        throw Error(file.string() + ": is not valid JSON at " + line_and_column(text, error.byte ? error.byte - 1 : 0) +
                        "; correct it there or fetch the file again",
                    Error::Kind::Input, error.what());
    }
}

}  // namespace suture
