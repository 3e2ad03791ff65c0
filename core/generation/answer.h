// SPDX-License-Identifier: GPL-3.0-or-later
// The final answer in a text that reasons towards it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace suture {

/// What a generated text answers: the content of the last complete \boxed{…} (braces may nest; an unclosed one does not count),
/// else the last number, else nothing. A number is digits, commas in groups of three, a decimal part; a minus in front counts
/// unless a letter, a digit or a closing bracket stands before it. Normalised.
std::optional<std::string> final_answer(std::string_view text);

/// What a problem's answer field means: its last \boxed{…}, else what follows its last "####", else all of it. Normalised.
std::string expected_answer(std::string_view field);

/// As answers are compared, exactly: without white space, dollar signs ($ and \$), commas between a digit and three digits, and one full
/// stop at the end. "18.0" and "18" stay different, as do "\frac{1}{2}" and "0.5".
std::string normalised_answer(std::string_view answer);

}  // namespace suture
