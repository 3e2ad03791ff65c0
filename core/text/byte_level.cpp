// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/byte_level.h"

#include <array>

#include "core/text/internal/unicode.h"

namespace suture {
namespace {

struct Alphabet {
    std::array<std::string, 256> character;  ///< UTF-8 of the character that stands for a byte
    std::array<int, 0x180> byte;             ///< byte of a code point, -1 for none

    Alphabet() {
        byte.fill(-1);
        char32_t spare = 0x100;  // bytes that would not print are numbered from U+0100 in ascending order
        for (int b = 0; b < 256; ++b) {
            const bool prints = (b >= 0x21 && b <= 0x7E) || (b >= 0xA1 && b <= 0xAC) || b >= 0xAE;
            const char32_t c = prints ? char32_t(b) : spare++;
            append_code_point(character[std::size_t(b)], c);
            byte[c] = b;
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet value;
    return value;
}

}  // namespace

void append_byte_characters(std::string& result, std::string_view bytes) {
    const auto& characters = alphabet().character;
    for (const char b : bytes) result += characters[static_cast<unsigned char>(b)];
}

std::string bytes_of_characters(std::string_view token) {
    std::string result;
    for (std::size_t i = 0; i < token.size();) {
        const char32_t c = next_code_point(token, i);
        const int byte = c < alphabet().byte.size() ? alphabet().byte[c] : -1;
        if (byte < 0) return std::string(token);
        result += char(byte);
    }
    return result;
}

}  // namespace suture
