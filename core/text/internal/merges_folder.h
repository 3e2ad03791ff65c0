// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that hold a byte-level BPE as vocab.json + merges.txt, the way GPT-2 was published.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace suture {

/// The content that a tokenizer.json of this folder would have. Throws Error naming the file, or the tokenizer class of
/// tokenizer_config.json when its text preparation is not known.
nlohmann::json tokenizer_json_of_merges(const std::filesystem::path& folder);

}  // namespace suture
