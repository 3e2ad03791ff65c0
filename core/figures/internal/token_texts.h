// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/figures/tokens.h"

namespace suture {

/// The token's text; "id 123" without a tokenizer or where it gives none.
inline std::string token_text(std::int64_t id, const TokenText& text) {
    std::string result = text ? text(id) : std::string();
    return result.empty() ? "id " + std::to_string(id) : result;
}

inline std::vector<std::string> token_texts(std::span<const std::int64_t> ids, const TokenText& text) {
    std::vector<std::string> result;
    for (const auto id : ids) result.push_back(token_text(id, text));
    return result;
}

}  // namespace suture
