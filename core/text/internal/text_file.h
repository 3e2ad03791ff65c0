// SPDX-License-Identifier: GPL-3.0-or-later
// A text file and as many of its tokens as somebody needs.
#pragma once

#include <filesystem>
#include <string>

#include "core/text/tokenizer.h"

namespace suture {

struct TextFile {
    std::string text;    ///< UTF-8
    std::string digest;  ///< SHA-256 of the bytes on disk
};

/// `normalise` strips a byte-order mark and turns CRLF into LF. Throws Error naming the file when it can't be read or is not UTF-8.
TextFile read_text(const std::filesystem::path& file, bool normalise);

/// The first `count` ids of the whole text, or all when it has fewer; 0: all.
std::vector<std::int64_t> first_ids(const Tokenizer& tokenizer, std::string_view text, std::int64_t count);

}  // namespace suture
