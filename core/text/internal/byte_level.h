// SPDX-License-Identifier: GPL-3.0-or-later
// The byte alphabet of byte-level BPE: every byte stands for one printable character, as in GPT-2's vocabulary.
#pragma once

#include <string>
#include <string_view>

namespace suture {

/// Bytes to their characters: " the" becomes "Ġthe".
void append_byte_characters(std::string& result, std::string_view bytes);
/// Characters back to bytes; a token with a character outside the alphabet is returned as it is.
std::string bytes_of_characters(std::string_view token);

}  // namespace suture
