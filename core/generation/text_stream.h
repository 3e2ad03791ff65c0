// SPDX-License-Identifier: GPL-3.0-or-later
// Text out of tokens that arrive one by one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/text/tokenizer.h"

namespace suture {

/// What every new token adds to a text. A character made of several tokens is given out with the last of them, and blanks that
/// a tokenizer drops at the start of a text are kept, because the prompt stands in front.
class TextStream {
public:
    TextStream(const Tokenizer& tokenizer, std::span<const std::int64_t> prompt);
    /// The text that `id` completes; empty while a character is unfinished.
    std::string push(std::int64_t id);
    /// What is left: an unfinished character as U+FFFD.
    std::string finish();

private:
    std::string take(bool unfinished_too);

    const Tokenizer& tokenizer_;
    std::vector<std::int64_t> ids_;
    std::size_t context_ = 0;  // ids before this one decide nothing any more
    std::size_t told_ = 0;     // ids whose text was given out
};

}  // namespace suture
