// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/bpe.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <queue>

#include "core/base/error.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using nlohmann::json;

/// Longer pieces are cut before they are merged, so that words repeat and time stays linear.
constexpr std::size_t long_piece = 64;  // bytes
constexpr std::uint64_t neighbour_slots = 1 << 22;

std::uint64_t pair_key(std::int64_t left, std::int64_t right) { return (std::uint64_t(left) << 32) | std::uint64_t(right); }

std::uint64_t neighbour_slot(char32_t left, char32_t right) {
    return (((std::uint64_t(left) << 32) | right) * 0x9E3779B97F4A7C15ull) >> 42;  // 22 bits
}

void refuse_affix(const json& model, const char* name) {
    if (const auto it = model.find(name); it != model.end() && !it->is_null() && *it != "")
        throw Error("The BPE model has " + std::string(name) + " " + it->dump() + ", which is not supported.");
}

/// Both spellings: ["a", "b"] and "a b".
std::pair<std::string, std::string> merge_parts(const json& merge) {
    if (merge.is_array() && merge.size() == 2) return {merge[0].get<std::string>(), merge[1].get<std::string>()};
    const auto text = merge.is_string() ? merge.get<std::string>() : std::string();
    const auto space = text.find(' ');
    if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos)
        throw Error("The BPE merge " + merge.dump() + " is not two tokens with one space between.");
    return {text.substr(0, space), text.substr(space + 1)};
}

}  // namespace

Bpe::Bpe(const json& model) {
    refuse_affix(model, "continuing_subword_prefix");
    refuse_affix(model, "end_of_word_suffix");
    const auto& vocabulary = model.at("vocab");
    vocabulary_.reserve(vocabulary.size());
    for (const auto& [token, id] : vocabulary.items()) {
        const auto number = id.get<std::int64_t>();
        if (number < 0 || number > INT32_MAX) throw Error("The token \"" + token + "\" has the id " + id.dump() + ".");
        const auto it = vocabulary_.emplace(token, number).first;
        if (number >= size()) tokens_.resize(std::size_t(number) + 1);
        tokens_[std::size_t(number)] = &it->first;
    }
    read_merges(model.at("merges"));
    fuse_unknown_ = model.value("fuse_unk", false);
    byte_fallback_ = model.value("byte_fallback", false);
    ignore_merges_ = model.value("ignore_merges", false);
    if (const auto it = model.find("unk_token"); it != model.end() && it->is_string()) {
        unknown_ = id_of(it->get<std::string>());
        if (!unknown_) throw Error("The unknown token " + it->dump() + " is not in the vocabulary.");
    }
    for (int b = 0; b < 256; ++b) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", unsigned(b));
        byte_ids_[std::size_t(b)] = id_of(name).value_or(-1);
    }
}

void Bpe::read_merges(const json& merges) {
    merges_.reserve(merges.size());
    const auto required = [&](const std::string& token) {
        if (const auto id = id_of(token)) return *id;
        throw Error("The BPE merges need the token \"" + token + "\", which is not in the vocabulary.");
    };
    std::int64_t rank = 0;
    for (const auto& merge : merges) {
        const auto [left, right] = merge_parts(merge);
        merges_[pair_key(required(left), required(right))] = {rank++, required(left + right)};
    }
}

std::optional<std::int64_t> Bpe::id_of(std::string_view token) const {
    const auto it = vocabulary_.find(token);
    return it == vocabulary_.end() ? std::nullopt : std::optional(it->second);
}

const std::string* Bpe::token_of(std::int64_t id) const { return id >= 0 && id < size() ? tokens_[std::size_t(id)] : nullptr; }

void Bpe::encode(const Pieces& pieces, Cache& cache, Ids& ids) const {
    for (std::size_t i = 0; i < pieces.spans.size(); ++i) {
        const auto piece = pieces.view(pieces.spans[i]);
        const bool open = pieces.open && i + 1 == pieces.spans.size();
        if (open || piece.size() > long_piece) encode_long(piece, open, cache, ids);
        else encode_word(piece, cache, ids);
    }
}

/// No merge reaches over a place between two characters that no token holds side by side, because the token it makes would hold
/// them. So the text on either side of such a place is encoded on its own, and the last one is where an open piece is certain.
void Bpe::encode_long(std::string_view piece, bool open, Cache& cache, Ids& ids) const {
    std::size_t begin = 0, previous = 0, position = 0;
    if (!piece.empty()) next_code_point(piece, position);
    while (position < piece.size()) {
        auto next = position;
        next_code_point(piece, next);
        if (never_merged(piece.substr(previous, position - previous), piece.substr(position, next - position))) {
            encode_word(piece.substr(begin, position - begin), cache, ids);
            begin = position;
        }
        previous = position;
        position = next;
    }
    if (!open && begin < piece.size()) encode_word(piece.substr(begin), cache, ids);
}

bool Bpe::never_merged(std::string_view left, std::string_view right) const {
    std::call_once(indexed_, [this] { index_neighbours(); });
    std::size_t i = 0, j = 0;
    if (neighbours_[neighbour_slot(next_code_point(left, i), next_code_point(right, j))]) return false;
    return vocabulary_.contains(left) && vocabulary_.contains(right);  // unknown characters may be fused with their neighbours
}

void Bpe::index_neighbours() const {
    neighbours_.assign(neighbour_slots, false);
    for (const auto& [token, id] : vocabulary_) {
        if (token.empty()) continue;
        std::size_t i = 0;
        for (char32_t left = next_code_point(token, i); i < token.size();) {
            const char32_t right = next_code_point(token, i);
            neighbours_[neighbour_slot(left, right)] = true;
            left = right;
        }
    }
}

void Bpe::encode_word(std::string_view word, Cache& cache, Ids& ids) const {
    if (const auto it = cache.find(word); it != cache.end()) {
        ids.insert(ids.end(), it->second.begin(), it->second.end());
        return;
    }
    Ids result;
    if (const auto whole = ignore_merges_ ? id_of(word) : std::nullopt) {
        result.push_back(*whole);
    } else {
        auto symbols = symbols_of(word);
        merge(symbols);
        if (!symbols.empty())
            for (int i = 0; i >= 0; i = symbols[std::size_t(i)].next) result.push_back(symbols[std::size_t(i)].id);
    }
    ids.insert(ids.end(), result.begin(), result.end());
    cache.emplace(word, std::move(result));
}

bool Bpe::append_bytes(std::string_view character, Ids& ids) const {
    const auto id = [&](char byte) { return byte_ids_[static_cast<unsigned char>(byte)]; };
    if (!std::all_of(character.begin(), character.end(), [&](char byte) { return id(byte) >= 0; })) return false;
    for (const char byte : character) ids.push_back(id(byte));
    return true;
}

/// Characters, or their bytes, or the unknown token. An unknown token waits for the next known character, as in the original:
/// byte tokens in between come first.
std::vector<Bpe::Symbol> Bpe::symbols_of(std::string_view word) const {
    Ids ids;
    bool waiting = false;
    for (std::size_t i = 0; i < word.size();) {
        const auto begin = i;
        next_code_point(word, i);
        const auto character = word.substr(begin, i - begin);
        if (const auto id = id_of(character)) {
            if (waiting) ids.push_back(*unknown_);
            waiting = false;
            ids.push_back(*id);
        } else if (!(byte_fallback_ && append_bytes(character, ids)) && unknown_) {
            if (waiting && !fuse_unknown_) ids.push_back(*unknown_);
            waiting = true;
        }
    }
    if (waiting) ids.push_back(*unknown_);
    std::vector<Symbol> symbols;
    symbols.reserve(ids.size());
    for (int i = 0; i < int(ids.size()); ++i) symbols.push_back({ids[std::size_t(i)], i - 1, i + 1 < int(ids.size()) ? i + 1 : -1});
    return symbols;
}

/// Always the merge of lowest rank, the leftmost of equals. Merged symbols leave the linked list; the first one stays first.
void Bpe::merge(std::vector<Symbol>& symbols) const {
    struct Candidate {
        std::int64_t rank;
        int left;
        std::int64_t id;
        bool operator>(const Candidate& other) const { return std::pair(rank, left) > std::pair(other.rank, other.left); }
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
    const auto found = [&](int left) {
        const auto& symbol = symbols[std::size_t(left)];
        if (symbol.id < 0 || symbol.next < 0) return merges_.end();
        return merges_.find(pair_key(symbol.id, symbols[std::size_t(symbol.next)].id));
    };
    const auto offer = [&](int left) {
        if (left < 0) return;
        if (const auto it = found(left); it != merges_.end()) queue.push({it->second.rank, left, it->second.id});
    };
    for (int i = 0; i + 1 < int(symbols.size()); ++i) offer(i);
    while (!queue.empty()) {
        const auto top = queue.top();
        queue.pop();
        const auto it = found(top.left);
        if (it == merges_.end() || it->second.id != top.id) continue;  // its symbols have been merged with others meanwhile
        auto& left = symbols[std::size_t(top.left)];
        auto& right = symbols[std::size_t(left.next)];
        left.id = top.id;
        right.id = -1;
        left.next = right.next;
        if (left.next >= 0) symbols[std::size_t(left.next)].previous = top.left;
        offer(left.previous);
        offer(top.left);
    }
}

}  // namespace suture
