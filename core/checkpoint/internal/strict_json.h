// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace suture {

/// "line 3, column 14" of a byte in a text, both from 1.
std::string line_and_column(std::string_view text, std::size_t byte);

/// A JSON object from text nobody vouches for. Throws Error beginning with `where` when the text is not UTF-8, not JSON (naming line
/// and column), no object, nested deeper than `depth`, or names a member twice.
nlohmann::json parse_strict_json(std::string_view text, const std::string& where, int depth);

/// Throws Error beginning with `where` unless the text is an object's worth of UTF-8: what every JSON file of a checkpoint must be.
void check_json_text(std::string_view text, const std::string& where);

}  // namespace suture
