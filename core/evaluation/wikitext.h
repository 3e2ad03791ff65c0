// SPDX-License-Identifier: GPL-3.0-or-later
// WikiText as lm-evaluation-harness reads it: pages, the text before it was tokenised, and how many words it has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// The pages of a raw WikiText file, each from its line " = Title = " to the next one. White space in front of the first page is
/// dropped; other text there is a page of its own, so a text without such lines is one page.
std::vector<std::string> wikitext_pages(std::string_view text);

/// Undoes WikiText's spacing, as the harness does for its tasks wikitext and c4, step by step in its order: "s '", the marks
/// @-@ @,@ @.@, punctuation, blanks just inside brackets and quotation marks, headings, degrees, line ends, " N ", " 's".
/// (One more step of the harness, a pattern with slashes inside, matches no text in practice and is left out.)
std::string undo_wikitext_spacing(std::string text);

/// The harness's words: pieces between runs of white space, the empty pieces at both ends counted too.
std::int64_t count_words(std::string_view text);

}  // namespace suture
