// SPDX-License-Identifier: GPL-3.0-or-later
// Tokens that are found in the text before the model sees it: "<s>", "<|im_end|>".
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/internal/normalizer.h"

namespace suture {

struct AddedToken {
    std::string content;
    std::int64_t id = 0;
    bool special = false;
    bool normalized = false;   ///< found in the normalised text
    bool single_word = false;  ///< not inside a word
    bool lstrip = false;       ///< takes the white space in front of it
    bool rstrip = false;       ///< takes the white space behind it
};

/// Reads one entry of "added_tokens" or "added_tokens_decoder", where the id is the member's name.
AddedToken added_token_of(const nlohmann::json& entry, std::int64_t id);

/// A stretch of the input: an added token, or normalised text between two of them.
struct Segment {
    std::optional<std::int64_t> id;
    std::string text;
    bool at_start = false;  ///< text that begins where the input begins
};

class AddedTokens {
public:
    AddedTokens() = default;
    /// Two passes as in the original: tokens with normalized = false are searched in the text as it is, the others, normalised
    /// themselves, in the normalised text between.
    AddedTokens(std::vector<AddedToken> tokens, Normalizer normalizer);

    std::vector<Segment> split(std::string_view text) const;
    /// True when the segments of a text that ends at a word end are those of any text that goes on with a space or line feed,
    /// the last one perhaps longer.
    bool cuts_at_word_end() const { return cuts_at_word_end_; }
    const std::vector<AddedToken>& tokens() const { return tokens_; }

private:
    /// Leftmost, then longest match.
    struct Matcher {
        std::array<std::vector<std::size_t>, 256> by_first_byte;  ///< indices, longest content first
        std::vector<std::string> contents;
        bool empty = true;
        void add(const std::string& content, std::size_t token);
        void sort();
    };
    std::vector<Segment> find(std::string_view text, const Matcher& matcher) const;

    std::vector<AddedToken> tokens_;
    Normalizer normalizer_;
    Matcher raw_, normalized_;
    bool cuts_at_word_end_ = true;
};

/// The last position of `text` with a character other than white space in front of it and a space or line feed behind; 0: none.
std::size_t last_word_end(std::string_view text);

}  // namespace suture
