// SPDX-License-Identifier: GPL-3.0-or-later
// The "normalizer" entry of tokenizer.json: text to text in front of everything else.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace suture {

struct Normalizer {
    std::function<std::string(std::string_view)> apply;  ///< empty: the text stays as it is
    /// True when a text may be cut at a word end, in front of a space or line feed: what stands in front of the cut is
    /// normalised in the same way whatever follows.
    bool cuts_at_word_end = true;

    std::string operator()(std::string_view text) const { return apply ? apply(text) : std::string(text); }
};

/// Null gives one that changes nothing. Throws Error naming a type that is not supported.
Normalizer make_normalizer(const nlohmann::json& entry);

}  // namespace suture
