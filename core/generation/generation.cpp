// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/generate.h"
#include "core/text/internal/special_tokens.h"

namespace suture {
namespace {

/// An id or a list of them; nothing for null or anything else.
std::vector<std::int64_t> ids_in(const nlohmann::json& file, const char* key) {
    std::vector<std::int64_t> result;
    if (!file.is_object() || !file.contains(key)) return result;
    const auto& value = file.at(key);
    for (const auto& id : value.is_array() ? value : nlohmann::json::array({value}))
        if (id.is_number_integer()) result.push_back(id.get<std::int64_t>());
    return result;
}

}  // namespace

double Generation::tokens_per_second() const { return decode_seconds > 0 ? double(ids.size() - 1) / decode_seconds : 0; }

nlohmann::json Generation::to_json() const {
    return {{"text", text},
            {"ids", ids},
            {"ended", ended},
            {"prompt_tokens", prompt_tokens},
            {"prefill_seconds", prefill_seconds},
            {"decode_seconds", decode_seconds},
            {"tokens_per_second", tokens_per_second()}};
}

Generation Generation::from_json(const nlohmann::json& json) {
    Generation g;
    json.at("text").get_to(g.text);
    json.at("ids").get_to(g.ids);
    json.at("ended").get_to(g.ended);
    json.at("prompt_tokens").get_to(g.prompt_tokens);
    json.at("prefill_seconds").get_to(g.prefill_seconds);
    json.at("decode_seconds").get_to(g.decode_seconds);
    return g;
}

std::vector<std::int64_t> end_ids(const std::filesystem::path& folder, const Tokenizer* tokenizer) {
    for (const char* name : {"generation_config.json", "config.json"})
        if (auto ids = ids_in(json_or_null(folder / name), "eos_token_id"); !ids.empty()) return ids;
    if (tokenizer && tokenizer->eos()) return {*tokenizer->eos()};
    return {};
}

std::vector<std::int64_t> prompt_ids(const Tokenizer& tokenizer, const std::string& text) {
    auto ids = tokenizer.encode(text);
    if (tokenizer.adds_bos() && tokenizer.bos() && (ids.empty() || ids[0] != *tokenizer.bos())) ids.insert(ids.begin(), *tokenizer.bos());
    return ids;
}

}  // namespace suture
