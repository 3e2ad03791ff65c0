// SPDX-License-Identifier: GPL-3.0-or-later
// Regular expressions as tokenizer.json means them (Oniguruma), run by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// A stretch of bytes, end excluded.
struct ByteSpan {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const ByteSpan&) const = default;
};

/// Matches from left to right without overlap. No further match begins in front of `certain`.
struct Matches {
    std::vector<ByteSpan> found;
    std::size_t certain = 0;
};

class Regex {
public:
    /// `literal`: the pattern is a plain string. Throws Error with the pattern when it does not compile.
    explicit Regex(const std::string& pattern, bool literal = false);

    /// All matches in valid UTF-8; empty ones are left out. With `open` the text may go on behind its end: then only matches that
    /// hold whatever follows are found, and `certain` says how far the search could decide.
    void matches(std::string_view text, bool open, Matches& result) const;
    /// Every match replaced by `content`.
    std::string replaced(std::string_view text, std::string_view content) const;

private:
    std::shared_ptr<void> code_;
    std::string pattern_;
};

}  // namespace suture
