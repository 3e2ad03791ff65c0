// SPDX-License-Identifier: GPL-3.0-or-later
// Which tokens begin and end a text: what the files beside a tokenizer say about it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/text/internal/added_tokens.h"

namespace suture {

/// JSON of a file; null when there is none. Throws Error naming a file that is no JSON.
nlohmann::json json_or_null(const std::filesystem::path& file);

class SpecialTokenFiles {
public:
    explicit SpecialTokenFiles(const std::filesystem::path& folder);

    using IdOf = std::function<std::optional<std::int64_t>(const std::string& content)>;
    /// `name` is "bos" or "eos". The first file that names the token decides, also when it says null; `otherwise` when none does.
    std::optional<std::int64_t> id(const std::string& name, const IdOf& id_of, std::optional<std::int64_t> otherwise = {}) const;
    /// Whether the template puts a BOS first: add_bos_token of tokenizer_config.json, else the post-processor's template.
    bool adds_bos(const nlohmann::json& post_processor) const;
    /// Tokens that tokenizer_config.json, special_tokens_map.json and added_tokens.json name. `id_of` gives ids of those that
    /// are named by content alone; `defaults` are special when no tokenizer_config.json is there to say otherwise.
    std::vector<AddedToken> added_tokens(const IdOf& id_of, const std::vector<std::string>& defaults) const;
    const nlohmann::json& config() const { return tokenizer_config_; }  ///< tokenizer_config.json; null when there is none

private:
    nlohmann::json tokenizer_config_, special_map_, config_, generation_config_, added_;
};

}  // namespace suture
