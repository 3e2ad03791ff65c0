// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/strings.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "core/text/internal/unicode.h"

namespace suture {
namespace {

/// str.isspace() counts the four information separators too.
bool is_space(char32_t c) { return is_white_space(c) || (c >= 0x1C && c <= 0x1F); }

icu::UnicodeString unicode(std::string_view text) {
    return icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), std::int32_t(text.size())));
}

std::string utf8(const icu::UnicodeString& text) {
    std::string result;
    return text.toUTF8String(result);
}

/// Bytes of the first character.
std::size_t first_length(std::string_view text) {
    std::size_t position = 0;
    if (!text.empty()) next_code_point(text, position);
    return position;
}

}  // namespace

std::int64_t code_points(std::string_view text) {
    std::int64_t count = 0;
    for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

std::size_t length_without_trailing_space(std::string_view text) {
    std::size_t end = text.size();
    for (std::size_t position = end; position > 0; end = position)
        if (!is_space(previous_code_point(text, position))) break;
    return end;
}

std::string_view strip(std::string_view text) {
    text = text.substr(0, length_without_trailing_space(text));
    std::size_t begin = 0;
    for (std::size_t position = 0; position < text.size(); begin = position)
        if (!is_space(next_code_point(text, position))) break;
    return text.substr(begin);
}

std::string replace_all(std::string_view text, std::string_view what, std::string_view with) {
    std::string result;
    for (std::size_t at = text.find(what); at != text.npos; at = text.find(what)) {
        result.append(text.substr(0, at)).append(with);
        text.remove_prefix(at + what.size());
    }
    return result.append(text);
}

std::string lower(std::string_view text) { return utf8(unicode(text).toLower(icu::Locale::getRoot())); }

std::string capitalize(std::string_view text) {
    const std::size_t first = first_length(text);
    return utf8(unicode(text.substr(0, first)).toTitle(nullptr, icu::Locale::getRoot())) + lower(text.substr(first));
}

std::string lower_first(std::string_view text) {
    const std::size_t first = first_length(text);
    return lower(text.substr(0, first)).append(text.substr(first));
}

std::string collapse_space(std::string_view text) {
    std::string result;
    bool pending = false;
    for (const char c : text) {
        const bool space = c == ' ' || (c >= '\t' && c <= '\r');
        if (!space && pending && !result.empty()) result += ' ';
        if (!space) result += c;
        pending = space;
    }
    return result;
}

}  // namespace suture
