// SPDX-License-Identifier: GPL-3.0-or-later
// Text to token ids and back, exactly as the model's own tokenizer does it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace suture {

/// A model's tokenizer. Immutable: one object may be used by several threads at once.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    /// Opens the tokenizer of a model folder: tokenizer.json first, else tokenizer.model (SentencePiece), else vocab.json +
    /// merges.txt (byte-level BPE). Throws Error naming the folder or file, and whatever in it is not supported by its name.
    static std::shared_ptr<const Tokenizer> open(const std::filesystem::path& folder);
    /// True when `folder` holds a tokenizer that open() would try.
    static bool present(const std::filesystem::path& folder);

    /// The ids of `text`, UTF-8. No special tokens are added; added tokens that stand in the text are recognised.
    /// Throws Error with the byte offset when `text` is not UTF-8.
    virtual std::vector<std::int64_t> encode(std::string_view text) const = 0;
    /// Ids with which encode(whole) begins for every whole text that begins with `text`. May be fewer than text holds, or none
    /// where nothing is certain. Reading a large file in part rests on this.
    virtual std::vector<std::int64_t> encode_certain(std::string_view /*text*/) const { return {}; }
    /// The text of `ids`. Special tokens give no text; bytes that are no UTF-8 become U+FFFD; ids that do not exist are left out.
    virtual std::string decode(std::span<const std::int64_t> ids) const = 0;
    /// One token for a read-out: its bytes as text, " the"; a line feed shown as "⏎", bytes that are no UTF-8 as "<0xE2>".
    /// Empty for an id that does not exist.
    virtual std::string token_text(std::int64_t id) const = 0;
    /// One more than the largest id.
    virtual std::int64_t vocabulary_size() const = 0;
    /// For people: "byte-level BPE, 49152 tokens (tokenizer.json)".
    virtual std::string description() const = 0;

    /// From the first of tokenizer_config.json, special_tokens_map.json, config.json and generation_config.json that names it, at
    /// last from tokenizer.model itself; null there means none, and none is never replaced by a guess.
    std::optional<std::int64_t> bos() const { return special_.bos; }
    std::optional<std::int64_t> eos() const { return special_.eos; }
    /// Ids of special added tokens, ascending.
    const std::vector<std::int64_t>& special_ids() const { return special_.ids; }
    /// Whether the checkpoint's own template would put a BOS in front of a text. For information: encode() never does.
    bool adds_bos() const { return special_.adds_bos; }

protected:
    struct Special {
        std::optional<std::int64_t> bos, eos;
        std::vector<std::int64_t> ids;
        bool adds_bos = false;
    };
    Special special_;
};

}  // namespace suture
