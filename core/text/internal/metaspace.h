// SPDX-License-Identifier: GPL-3.0-or-later
// The visible space of SentencePiece vocabularies, as pre-tokenizer and decoder spell it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace suture {

struct Metaspace {
    enum class Prepend { Always, First, Never };
    std::string replacement = "▁";
    Prepend prepend = Prepend::Always;  ///< which texts get one in front: every piece, only the beginning of the input, none
};

/// Reads "replacement" and "prepend_scheme", or the older "add_prefix_space". Throws Error for an unknown scheme.
Metaspace metaspace_of(const nlohmann::json& entry);

}  // namespace suture
