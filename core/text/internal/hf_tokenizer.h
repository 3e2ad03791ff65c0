// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer described by a tokenizer.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/text/internal/added_tokens.h"
#include "core/text/internal/bpe.h"
#include "core/text/internal/decoder.h"
#include "core/text/internal/pretokenizer.h"
#include "core/text/tokenizer.h"

namespace suture {

class HfTokenizer : public Tokenizer {
public:
    /// `entries`: the content of a tokenizer.json; `source`: what description() calls it; `folder`: where the files lie that
    /// name special tokens. Throws Error naming the entry that is missing or not supported.
    HfTokenizer(const nlohmann::json& entries, std::string source, const std::filesystem::path& folder);

    std::vector<std::int64_t> encode(std::string_view text) const override;
    std::vector<std::int64_t> encode_certain(std::string_view text) const override;
    std::string decode(std::span<const std::int64_t> ids) const override;
    std::string token_text(std::int64_t id) const override;
    std::int64_t vocabulary_size() const override { return size_; }
    std::string description() const override;

private:
    Ids encode(std::string_view text, bool open) const;
    const std::string* token_of(std::int64_t id) const;

    std::string source_;
    Bpe model_;
    AddedTokens added_;
    PreTokenizer pretokenizer_;
    std::unique_ptr<Decoder> decoder_;
    std::unordered_map<std::int64_t, const AddedToken*> added_by_id_;
    std::int64_t size_ = 0;
};

}  // namespace suture
