// SPDX-License-Identifier: GPL-3.0-or-later
// The "pre_tokenizer" entry of tokenizer.json: text into the pieces across which nothing is merged.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>

#include "core/text/internal/split.h"

namespace suture {

using PreTokenizer = std::function<void(Pieces&)>;

/// Null gives a pre-tokenizer that leaves one piece. Throws Error naming a type that is not supported.
PreTokenizer make_pretokenizer(const nlohmann::json& entry);

}  // namespace suture
