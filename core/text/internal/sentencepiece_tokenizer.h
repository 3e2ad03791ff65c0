// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer.model, run by the SentencePiece library itself.
#pragma once

#include <map>
#include <memory>

#include "core/text/internal/added_tokens.h"
#include "core/text/tokenizer.h"

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace suture {

class SentencePieceTokenizer : public Tokenizer {
public:
    /// Throws Error naming the file when it is no SentencePiece model.
    explicit SentencePieceTokenizer(const std::filesystem::path& file);
    ~SentencePieceTokenizer() override;

    std::vector<std::int64_t> encode(std::string_view text) const override;
    std::vector<std::int64_t> encode_certain(std::string_view text) const override;
    std::string decode(std::span<const std::int64_t> ids) const override;
    std::string token_text(std::int64_t id) const override;
    std::int64_t vocabulary_size() const override { return size_; }
    std::string description() const override;

private:
    using Processor = std::unique_ptr<sentencepiece::SentencePieceProcessor>;
    bool is_piece(std::int64_t id) const;
    void encode_text(std::string_view text, bool with_prefix, std::vector<std::int64_t>& ids) const;

    Processor processor_;
    Processor inside_;               ///< the same model without a space in front, for text that goes on
    bool prefix_everywhere_ = true;  ///< text behind an added token gets a space in front too
    AddedTokens added_;
    std::map<std::int64_t, AddedToken> added_by_id_;
    std::int64_t size_ = 0;
    bool cuts_at_word_end_ = false;
};

}  // namespace suture
