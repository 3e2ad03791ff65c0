// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/answer.h"

#include <algorithm>
#include <cctype>

#include "core/text/internal/unicode.h"

namespace suture {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool digits_at(std::string_view text, std::size_t at, std::size_t count) {
    return at + count <= text.size() && std::ranges::all_of(text.substr(at, count), digit);
}

/// A comma that only groups digits: one in front, exactly three behind.
bool groups_digits(std::string_view text, std::size_t at) {
    return text[at] == ',' && at > 0 && digit(text[at - 1]) && digits_at(text, at + 1, 3) && !digits_at(text, at + 1, 4);
}

/// Content of the braces that open at `open`; nothing when they do not close.
std::optional<std::string_view> braces(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        if (text[i] == '{') ++depth;
        if (text[i] == '}' && --depth == 0) return text.substr(open + 1, i - open - 1);
    }
    return std::nullopt;
}

std::optional<std::string_view> last_boxed(std::string_view text) {
    constexpr std::string_view command = "\\boxed{";
    for (std::size_t at = text.rfind(command); at != std::string_view::npos; at = at == 0 ? at - 1 : text.rfind(command, at - 1))
        if (const auto content = braces(text, at + command.size() - 1)) return content;
    return std::nullopt;
}

/// Whether a minus at `at` is a sign and no difference or hyphen.
bool is_sign(std::string_view text, std::size_t at) {
    if (text[at] != '-') return false;
    const char before = at > 0 ? text[at - 1] : ' ';
    return !std::isalnum(static_cast<unsigned char>(before)) && before != ')' && before != ']' && before != '}';
}

std::optional<std::string_view> last_number(std::string_view text) {
    std::size_t end = text.size();
    while (end > 0 && !digit(text[end - 1])) --end;
    if (end == 0) return std::nullopt;
    std::size_t begin = end;
    bool fraction = false;
    while (begin > 0) {
        const char c = text[begin - 1];
        const bool point = c == '.' && !fraction && begin > 1 && digit(text[begin - 2]);
        fraction |= point;
        if (!digit(c) && !point && !groups_digits(text, begin - 1)) break;
        --begin;
    }
    if (begin > 0 && is_sign(text, begin - 1)) --begin;
    return text.substr(begin, end - begin);
}

}  // namespace

std::string normalised_answer(std::string_view answer) {
    std::string visible;
    for (std::size_t at = 0; at < answer.size();) {
        const auto c = next_code_point(answer, at);
        if (c == U'$' && visible.ends_with('\\')) visible.pop_back();
        if (!is_white_space(c) && c != U'$') append_code_point(visible, c);
    }
    std::string result;
    for (std::size_t i = 0; i < visible.size(); ++i)
        if (!groups_digits(visible, i)) result += visible[i];
    if (result.ends_with('.')) result.pop_back();
    return result;
}

std::optional<std::string> final_answer(std::string_view text) {
    auto found = last_boxed(text);
    if (!found) found = last_number(text);
    return found ? std::optional(normalised_answer(*found)) : std::nullopt;
}

std::string expected_answer(std::string_view field) {
    if (const auto boxed = last_boxed(field)) return normalised_answer(*boxed);
    if (const auto mark = field.rfind("####"); mark != std::string_view::npos) return normalised_answer(field.substr(mark + 4));
    return normalised_answer(field);
}

}  // namespace suture
