// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/text_stream.h"

#include <algorithm>

namespace suture {

TextStream::TextStream(const Tokenizer& tokenizer, std::span<const std::int64_t> prompt)
    : tokenizer_(tokenizer), ids_(prompt.begin(), prompt.end()), told_(prompt.size()) {
    constexpr std::size_t enough = 16;  // more tokens than a character has bytes
    context_ = told_ - std::min(told_, enough);
}

std::string TextStream::push(std::int64_t id) {
    ids_.push_back(id);
    return take(false);
}

std::string TextStream::finish() { return take(true); }

std::string TextStream::take(bool unfinished_too) {
    const auto from = std::span(ids_).subspan(context_);
    const std::string before = tokenizer_.decode(from.first(told_ - context_)), now = tokenizer_.decode(from);
    if (told_ == ids_.size() || (now.ends_with("\uFFFD") && !unfinished_too)) return {};
    context_ = told_;
    told_ = ids_.size();
    return now.size() > before.size() ? now.substr(before.size()) : std::string();
}

}  // namespace suture
