// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 and the few character classes that tokenizers speak of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace suture {

/// The code point at `position` of valid UTF-8; moves `position` behind it.
char32_t next_code_point(std::string_view text, std::size_t& position);
/// The code point that ends at `position`; moves `position` in front of it.
char32_t previous_code_point(std::string_view text, std::size_t& position);
void append_code_point(std::string& text, char32_t code_point);

/// Byte offset of the first byte that is no UTF-8; nothing when all of it is.
std::optional<std::size_t> invalid_utf8(std::string_view text);
/// Throws Error "… byte N …" for a text that is not UTF-8.
void require_utf8(std::string_view text);
/// Each maximal broken sequence becomes U+FFFD.
std::string lossy_utf8(std::string_view bytes);
/// Bytes for a read-out: control characters as symbols, a line feed as ⏎, broken bytes as <0xE2>.
std::string visible_text(std::string_view bytes);
/// The byte of a token spelled like "<0x0A>"; nothing for other tokens.
std::optional<char> byte_token(std::string_view token);

bool is_white_space(char32_t c);
/// Without white space at both ends.
std::string_view trimmed(std::string_view text);
bool is_numeric(char32_t c);      ///< Nd, Nl, No: "½" and "²" too
bool is_punctuation(char32_t c);  ///< P*, and every ASCII punctuation mark or symbol
bool is_word(char32_t c);         ///< Alphabetic, marks, decimal digits, connectors, joiners
bool is_mark(char32_t c);         ///< Mn, Mc, Me

}  // namespace suture
