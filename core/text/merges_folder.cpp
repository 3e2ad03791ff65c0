// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/merges_folder.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/text/internal/special_tokens.h"

namespace suture {
namespace {

using nlohmann::json;

/// The pattern that Qwen 2 was trained with.
constexpr const char* qwen2_regex = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
                                    R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

json read_merges(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw Error(file.string() + " can't be read; a folder with vocab.json needs it.");
    json merges = json::array();
    for (std::string line; std::getline(stream, line);) {
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty() && !line.starts_with("#version")) merges.push_back(line);
    }
    return merges;
}

json gpt2_pretokenizer(const json& config) {
    const bool prefix_space = config.is_object() && config.value("add_prefix_space", false);
    return {{"type", "ByteLevel"}, {"add_prefix_space", prefix_space}, {"use_regex", true}};
}

json qwen2_pretokenizer() {
    const json split = {{"type", "Split"}, {"pattern", {{"Regex", qwen2_regex}}}, {"behavior", "Isolated"}};
    const json bytes = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
    return {{"type", "Sequence"}, {"pretokenizers", {split, bytes}}};
}

std::string tokenizer_class(const json& config) {
    auto name = config.is_object() ? config.value("tokenizer_class", "") : std::string();
    if (name.ends_with("Fast")) name.resize(name.size() - 4);
    return name;
}

}  // namespace

json tokenizer_json_of_merges(const std::filesystem::path& folder) {
    const SpecialTokenFiles files(folder);
    const auto name = tokenizer_class(files.config());
    const bool qwen2 = name == "Qwen2Tokenizer";
    const bool gpt2 = name.empty() || name == "GPT2Tokenizer" || name == "CodeGenTokenizer";
    if (!qwen2 && !gpt2)
        throw Error((folder / "tokenizer_config.json").string() + " names the tokenizer class \"" + name +
                    "\", which is not supported as vocab.json + merges.txt. Save the tokenizer as tokenizer.json.");
    auto vocabulary = json_or_null(folder / "vocab.json");
    if (!vocabulary.is_object()) throw Error((folder / "vocab.json").string() + " is not a JSON object of tokens and ids.");

    const auto id_of = [&](const std::string& content) -> std::optional<std::int64_t> {
        const auto it = vocabulary.find(content);
        return it == vocabulary.end() ? std::nullopt : std::optional(it->get<std::int64_t>());
    };
    json added = json::array();
    for (const auto& token : files.added_tokens(id_of, {"<|endoftext|>"}))
        added.push_back({{"id", token.id},
                         {"content", token.content},
                         {"special", token.special},
                         {"normalized", token.normalized},
                         {"single_word", token.single_word},
                         {"lstrip", token.lstrip},
                         {"rstrip", token.rstrip}});
    return {{"normalizer", qwen2 ? json{{"type", "NFC"}} : json()},
            {"pre_tokenizer", qwen2 ? qwen2_pretokenizer() : gpt2_pretokenizer(files.config())},
            {"decoder", {{"type", "ByteLevel"}}},
            {"added_tokens", added},
            {"model", {{"type", "BPE"}, {"vocab", std::move(vocabulary)}, {"merges", read_merges(folder / "merges.txt")}}}};
}

}  // namespace suture
