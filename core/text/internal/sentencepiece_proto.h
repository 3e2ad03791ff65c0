// SPDX-License-Identifier: GPL-3.0-or-later
// The two things about a serialised SentencePiece model that its library does not offer.
#pragma once

#include <string>
#include <string_view>

namespace suture {

/// The same model, except that no space is put in front of a text.
std::string without_dummy_prefix(const std::string& model);
/// True when the model has no table of character replacements and keeps white space as it is.
bool normalises_nothing(std::string_view model);

}  // namespace suture
