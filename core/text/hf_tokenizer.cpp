// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/hf_tokenizer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/internal/special_tokens.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using nlohmann::json;

json member(const json& entries, const char* name) { return entries.contains(name) ? entries.at(name) : json(); }

/// Older files have no "type" in a BPE model.
const json& bpe_model(const json& entries) {
    const auto& model = entries.at("model");
    const auto type = model.value("type", model.contains("merges") ? "BPE" : "");
    if (type != "BPE") throw Error("The tokenizer model \"" + type + "\" is not supported; BPE is.");
    if (const auto dropout = member(model, "dropout"); dropout.is_number() && dropout.get<double>() != 0)
        throw Error("The BPE model has a dropout of " + dropout.dump() + ", so its ids are random; set it to null.");
    return model;
}

std::vector<AddedToken> added_tokens(const json& entries, const Bpe& model) {
    std::vector<AddedToken> result;
    for (const auto& entry : member(entries, "added_tokens")) {
        const auto content = entry.at("content").get<std::string>();
        result.push_back(added_token_of(entry, model.id_of(content).value_or(entry.at("id").get<std::int64_t>())));
    }
    return result;
}

}  // namespace

HfTokenizer::HfTokenizer(const json& entries, std::string source, const std::filesystem::path& folder)
    : source_(std::move(source)),
      model_(bpe_model(entries)),
      added_(added_tokens(entries, model_), make_normalizer(member(entries, "normalizer"))),
      pretokenizer_(make_pretokenizer(member(entries, "pre_tokenizer"))),
      decoder_(make_decoder(member(entries, "decoder"))),
      size_(model_.size()) {
    for (const auto& token : added_.tokens()) {
        added_by_id_[token.id] = &token;
        size_ = std::max(size_, token.id + 1);
        if (token.special) special_.ids.push_back(token.id);
    }
    std::sort(special_.ids.begin(), special_.ids.end());
    const auto id_of = [&](const std::string& content) -> std::optional<std::int64_t> {
        for (const auto& token : added_.tokens())
            if (token.content == content) return token.id;
        return model_.id_of(content);
    };
    const SpecialTokenFiles files(folder);
    special_.bos = files.id("bos", id_of);
    special_.eos = files.id("eos", id_of);
    special_.adds_bos = files.adds_bos(member(entries, "post_processor"));
}

Ids HfTokenizer::encode(std::string_view text, bool open) const {
    Ids ids;
    Bpe::Cache cache;
    auto segments = added_.split(text);
    for (auto& segment : segments) {
        if (segment.id) {
            ids.push_back(*segment.id);
            continue;
        }
        Pieces pieces{
            .text = std::move(segment.text), .spans = {}, .at_start = segment.at_start, .open = open && &segment == &segments.back()};
        pieces.spans = {{0, pieces.text.size()}};
        pretokenizer_(pieces);
        model_.encode(pieces, cache, ids);
    }
    return ids;
}

std::vector<std::int64_t> HfTokenizer::encode(std::string_view text) const {
    require_utf8(text);
    return encode(text, false);
}

std::vector<std::int64_t> HfTokenizer::encode_certain(std::string_view text) const {
    if (!added_.cuts_at_word_end()) return {};
    const auto certain = text.substr(0, last_word_end(text));
    require_utf8(certain);
    return encode(certain, true);
}

const std::string* HfTokenizer::token_of(std::int64_t id) const {
    const auto it = added_by_id_.find(id);
    return it != added_by_id_.end() ? &it->second->content : model_.token_of(id);
}

std::string HfTokenizer::decode(std::span<const std::int64_t> ids) const {
    std::vector<std::string> texts;
    for (const auto id : ids) {
        const auto* token = token_of(id);
        if (token && !std::binary_search(special_.ids.begin(), special_.ids.end(), id)) texts.push_back(*token);
    }
    decoder_->decode(texts);
    std::string result;
    for (const auto& text : texts) result += text;
    return result;
}

std::string HfTokenizer::token_text(std::int64_t id) const {
    if (const auto it = added_by_id_.find(id); it != added_by_id_.end()) return visible_text(it->second->content);
    const auto* token = model_.token_of(id);
    return token ? visible_text(decoder_->token_bytes(*token)) : std::string();
}

std::string HfTokenizer::description() const {
    const auto kind = decoder_->byte_level() ? "byte-level BPE" : model_.byte_fallback() ? "BPE with byte fallback" : "BPE";
    return kind + std::string(", ") + std::to_string(size_) + " tokens (" + source_ + ")";
}

}  // namespace suture
