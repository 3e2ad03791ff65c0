// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-pair encoding: the "model" entry of tokenizer.json with type BPE.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/internal/split.h"

namespace suture {

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
template <class T>
using StringMap = std::unordered_map<std::string, T, StringHash, std::equal_to<>>;

using Ids = std::vector<std::int64_t>;

class Bpe {
public:
    /// Throws Error naming what is missing, contradictory or not supported.
    explicit Bpe(const nlohmann::json& model);

    /// Ids of words seen during one encode(): texts repeat their words.
    using Cache = StringMap<Ids>;

    /// Appends the ids of every piece. An open last piece is encoded as far as nothing that follows can change it.
    void encode(const Pieces& pieces, Cache& cache, Ids& ids) const;

    std::optional<std::int64_t> id_of(std::string_view token) const;
    /// Nothing for an id that does not exist.
    const std::string* token_of(std::int64_t id) const;
    std::int64_t size() const { return std::int64_t(tokens_.size()); }
    bool byte_fallback() const { return byte_fallback_; }

private:
    struct Merge {
        std::int64_t rank, id;
    };
    struct Symbol {
        std::int64_t id;
        int previous, next;
    };
    void read_merges(const nlohmann::json& merges);
    void encode_long(std::string_view piece, bool open, Cache& cache, Ids& ids) const;
    void encode_word(std::string_view word, Cache& cache, Ids& ids) const;
    std::vector<Symbol> symbols_of(std::string_view word) const;
    void merge(std::vector<Symbol>& symbols) const;
    bool append_bytes(std::string_view character, Ids& ids) const;
    void index_neighbours() const;
    bool never_merged(std::string_view left, std::string_view right) const;

    StringMap<std::int64_t> vocabulary_;
    std::vector<const std::string*> tokens_;  ///< by id; null where there is none
    std::unordered_map<std::uint64_t, Merge> merges_;
    std::array<std::int64_t, 256> byte_ids_{};  ///< of <0x00> … <0xFF>; -1 for none
    std::optional<std::int64_t> unknown_;
    bool fuse_unknown_ = false, byte_fallback_ = false, ignore_merges_ = false;
    mutable std::once_flag indexed_;
    mutable std::vector<bool> neighbours_;  ///< by hash: pairs of characters that stand side by side in some token
};

}  // namespace suture
