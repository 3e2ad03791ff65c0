// SPDX-License-Identifier: GPL-3.0-or-later
// Python's string functions, in whose words the harness defines its prompts. UTF-8 throughout.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace suture {

/// Unicode code points: len() of a str.
std::int64_t code_points(std::string_view text);
/// Bytes in front of the white space that rstrip() would take off.
std::size_t length_without_trailing_space(std::string_view text);
std::string_view strip(std::string_view text);
std::string replace_all(std::string_view text, std::string_view what, std::string_view with);
/// The first character in title case AND ALL OTHERS in lower case.
std::string capitalize(std::string_view text);
std::string lower(std::string_view text);
/// Only the first character lower-cased.
std::string lower_first(std::string_view text);
/// Runs of ASCII white space become one space; none at the ends.
std::string collapse_space(std::string_view text);

}  // namespace suture
