// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/special_tokens.h"

#include <fstream>
#include <map>

#include "core/base/error.h"

namespace suture {
namespace {

using nlohmann::json;

/// A token is spelled "<s>" or {"content": "<s>", …}.
std::optional<std::string> content_of(const json& token) {
    if (token.is_string()) return token.get<std::string>();
    if (token.is_object() && token.contains("content")) return token.at("content").get<std::string>();
    return std::nullopt;
}

std::optional<std::int64_t> number_of(const json& id) {
    if (id.is_array() && !id.empty()) return number_of(id.front());
    return id.is_number_integer() ? std::optional(id.get<std::int64_t>()) : std::nullopt;
}

bool template_begins_with_token(const json& post_processor) {
    if (!post_processor.is_object()) return false;
    if (post_processor.contains("processors"))
        for (const auto& processor : post_processor.at("processors"))
            if (template_begins_with_token(processor)) return true;
    const auto single = post_processor.find("single");
    return single != post_processor.end() && single->is_array() && !single->empty() && single->front().contains("SpecialToken");
}

/// All tokens that a file names by role: bos_token, pad_token, additional_special_tokens, …
void named_tokens(const json& file, std::vector<std::string>& result) {
    if (!file.is_object()) return;
    for (const auto& [name, value] : file.items()) {
        const bool list = name == "additional_special_tokens" || name == "extra_special_tokens";
        if (!list && !name.ends_with("_token")) continue;
        for (const auto& token : value.is_array() ? value : json::array({value}))
            if (const auto content = content_of(token)) result.push_back(*content);
    }
}

}  // namespace

json json_or_null(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return {};
    if (!std::filesystem::is_regular_file(file)) throw Error(file.string() + " is no file; a folder or device stands in its place.");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(file.string() + " can't be read; check its permissions.");
    try {
        return json::parse(stream);
    } catch (const json::exception& error) {
        throw Error(file.string() + " is not valid JSON; fetch it again or repair it.", Error::Kind::Input, error.what());
    }
}

SpecialTokenFiles::SpecialTokenFiles(const std::filesystem::path& folder)
    : tokenizer_config_(json_or_null(folder / "tokenizer_config.json")),
      special_map_(json_or_null(folder / "special_tokens_map.json")),
      config_(json_or_null(folder / "config.json")),
      generation_config_(json_or_null(folder / "generation_config.json")),
      added_(json_or_null(folder / "added_tokens.json")) {}

std::optional<std::int64_t> SpecialTokenFiles::id(const std::string& name, const IdOf& id_of, std::optional<std::int64_t> otherwise) const {
    for (const auto* file : {&tokenizer_config_, &special_map_})
        if (file->is_object() && file->contains(name + "_token")) {
            const auto content = content_of(file->at(name + "_token"));
            return content ? id_of(*content) : std::nullopt;
        }
    for (const auto* file : {&config_, &generation_config_})
        if (file->is_object() && file->contains(name + "_token_id")) return number_of(file->at(name + "_token_id"));
    return otherwise;
}

bool SpecialTokenFiles::adds_bos(const json& post_processor) const {
    if (tokenizer_config_.is_object())
        if (const auto it = tokenizer_config_.find("add_bos_token"); it != tokenizer_config_.end() && it->is_boolean()) return *it;
    return template_begins_with_token(post_processor);
}

std::vector<AddedToken> SpecialTokenFiles::added_tokens(const IdOf& id_of, const std::vector<std::string>& defaults) const {
    std::map<std::string, AddedToken> result;
    if (added_.is_object())
        for (const auto& [content, id] : added_.items()) result[content] = {.content = content, .id = id.get<std::int64_t>()};
    if (tokenizer_config_.is_object() && tokenizer_config_.contains("added_tokens_decoder"))
        for (const auto& [id, entry] : tokenizer_config_.at("added_tokens_decoder").items()) {
            const auto token = added_token_of(entry, std::stoll(id));
            result[token.content] = token;
        }
    std::vector<std::string> named;
    if (!tokenizer_config_.is_object()) named = defaults;
    named_tokens(tokenizer_config_, named);
    named_tokens(special_map_, named);
    for (const auto& content : named) {
        if (const auto known = result.find(content); known != result.end()) known->second.special = true;
        else if (const auto id = id_of(content)) result[content] = {.content = content, .id = *id, .special = true};
    }
    std::vector<AddedToken> tokens;
    for (const auto& [content, token] : result) tokens.push_back(token);
    return tokens;
}

}  // namespace suture
