// SPDX-License-Identifier: GPL-3.0-or-later
// Cutting a text into pieces at the matches of a pattern.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/internal/regex.h"

namespace suture {

/// What becomes of a match, in the words of tokenizer.json.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

/// Throws Error with the name when it is none of the five.
SplitBehavior split_behavior(const std::string& name);

/// Finds the matches of a pattern; `open` as in Regex::matches.
using Pattern = std::function<void(std::string_view text, bool open, Matches& result)>;

Pattern regex_pattern(const std::string& regex);
Pattern literal_pattern(const std::string& text);
/// Every character of a class is a match of its own.
Pattern character_pattern(bool (*is_member)(char32_t));

/// A text on its way through the pre-tokenizers. What no piece covers was removed.
struct Pieces {
    std::string text;
    std::vector<ByteSpan> spans;
    bool at_start = true;  ///< text begins where the whole input begins
    bool open = false;     ///< the last piece may go on behind its end, in text that has not been read

    std::string_view view(const ByteSpan& span) const { return std::string_view(text).substr(span.begin, span.end - span.begin); }
};

/// Splits every piece. An open last piece is split as far as that is certain, and the rest is dropped.
void split_pieces(Pieces& pieces, const Pattern& pattern, SplitBehavior behavior, bool invert = false);

}  // namespace suture
