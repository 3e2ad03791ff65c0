// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/unicode.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdio>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr const char* replacement_character = "\xEF\xBF\xBD";

const std::uint8_t* bytes_of(std::string_view text) { return reinterpret_cast<const std::uint8_t*>(text.data()); }

std::string byte_name(unsigned char byte) {
    char name[8];
    std::snprintf(name, sizeof name, "<0x%02X>", byte);
    return name;
}

/// U+2400 … are pictures of the control characters; a line feed has a sign of its own because it is common.
void append_visible(std::string& result, char32_t c) {
    if (c == '\n') result += "⏎";
    else if (c < 0x20) append_code_point(result, 0x2400 + c);
    else if (c == 0x7F) append_code_point(result, 0x2421);
    else append_code_point(result, c);
}

/// Calls valid(code point) or broken(bytes of one maximal broken sequence) over the whole text.
template <class Valid, class Broken>
void scan_utf8(std::string_view text, Valid valid, Broken broken) {
    const auto* bytes = bytes_of(text);
    for (std::size_t i = 0; i < text.size();) {
        const auto begin = i;
        UChar32 c;
        U8_NEXT(bytes, i, text.size(), c);
        if (c >= 0) valid(char32_t(c));
        else broken(text.substr(begin, i - begin));
    }
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) {
    UChar32 c;
    U8_NEXT_UNSAFE(bytes_of(text), position, c);
    return char32_t(c);
}

char32_t previous_code_point(std::string_view text, std::size_t& position) {
    const auto before = std::min<std::size_t>(position, 4);  // no character has more bytes
    auto left = std::int32_t(before);
    UChar32 c;
    U8_PREV(bytes_of(text) + (position - before), 0, left, c);
    position -= before - std::size_t(left);
    return char32_t(c);
}

void append_code_point(std::string& text, char32_t code_point) {
    char buffer[4];
    std::size_t size = 0;
    U8_APPEND_UNSAFE(reinterpret_cast<std::uint8_t*>(buffer), size, UChar32(code_point));
    text.append(buffer, size);
}

std::optional<std::size_t> invalid_utf8(std::string_view text) {
    const auto* bytes = bytes_of(text);
    for (std::size_t i = 0; i < text.size();) {
        if (bytes[i] < 0x80) {
            ++i;
            continue;
        }
        const auto begin = i;
        UChar32 c;
        U8_NEXT(bytes, i, text.size(), c);
        if (c < 0) return begin;
    }
    return std::nullopt;
}

void require_utf8(std::string_view text) {
    if (const auto at = invalid_utf8(text))
        throw Error("The text is not UTF-8: byte " + std::to_string(*at) + " (" + byte_name(static_cast<unsigned char>(text[*at])) +
                    ") starts no character. Convert it to UTF-8.");
}

std::string lossy_utf8(std::string_view bytes) {
    std::string result;
    result.reserve(bytes.size());
    scan_utf8(
        bytes, [&](char32_t c) { append_code_point(result, c); }, [&](std::string_view) { result += replacement_character; });
    return result;
}

std::string visible_text(std::string_view bytes) {
    std::string result;
    scan_utf8(
        bytes, [&](char32_t c) { append_visible(result, c); },
        [&](std::string_view broken) {
            for (const char byte : broken) result += byte_name(static_cast<unsigned char>(byte));
        });
    return result;
}

std::optional<char> byte_token(std::string_view token) {
    if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return std::nullopt;
    int value = 0;
    for (const char digit : token.substr(3, 2)) {
        const int nibble = u_digit(UChar32(static_cast<unsigned char>(digit)), 16);
        if (nibble < 0) return std::nullopt;
        value = value * 16 + nibble;
    }
    return char(value);
}

bool is_white_space(char32_t c) { return u_isUWhiteSpace(UChar32(c)); }

std::string_view trimmed(std::string_view text) {
    std::size_t begin = 0, end = text.size();
    for (std::size_t next = begin; begin < end && is_white_space(next_code_point(text, next));) begin = next;
    for (std::size_t next = end; begin < end && is_white_space(previous_code_point(text, next));) end = next;
    return text.substr(begin, end - begin);
}

bool is_numeric(char32_t c) { return (U_GET_GC_MASK(UChar32(c)) & U_GC_N_MASK) != 0; }
bool is_punctuation(char32_t c) {
    const auto mask = U_GET_GC_MASK(UChar32(c));
    return (mask & U_GC_P_MASK) != 0 || (c < 0x80 && (mask & U_GC_S_MASK) != 0);
}
bool is_word(char32_t c) {
    return u_hasBinaryProperty(UChar32(c), UCHAR_ALPHABETIC) || u_hasBinaryProperty(UChar32(c), UCHAR_JOIN_CONTROL) ||
           (U_GET_GC_MASK(UChar32(c)) & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
}
bool is_mark(char32_t c) { return (U_GET_GC_MASK(UChar32(c)) & U_GC_M_MASK) != 0; }

}  // namespace suture
