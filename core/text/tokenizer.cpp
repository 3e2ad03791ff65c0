// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/internal/hf_tokenizer.h"
#include "core/text/internal/merges_folder.h"
#include "core/text/internal/sentencepiece_tokenizer.h"
#include "core/text/internal/special_tokens.h"

namespace suture {
namespace {

using std::filesystem::exists;
using std::filesystem::path;

bool has_merges(const path& folder) { return exists(folder / "vocab.json") && exists(folder / "merges.txt"); }

/// Every refusal names the file it is about.
std::shared_ptr<const Tokenizer> open_hf(const nlohmann::json& entries, const std::string& source, const path& folder) {
    const auto file = (folder / source).string();
    try {
        return std::make_shared<HfTokenizer>(entries, source, folder);
    } catch (const Error& error) {
        throw Error(file + ": " + error.what(), error.kind(), error.details());
    } catch (const nlohmann::json::exception& error) {
        throw Error(file + " does not have the entries of a tokenizer; save it again with a current version of tokenizers.",
                    Error::Kind::Input, error.what());
    }
}

}  // namespace

bool Tokenizer::present(const path& folder) {
    return exists(folder / "tokenizer.json") || exists(folder / "tokenizer.model") || has_merges(folder);
}

std::shared_ptr<const Tokenizer> Tokenizer::open(const path& folder) {
    if (exists(folder / "tokenizer.json")) return open_hf(json_or_null(folder / "tokenizer.json"), "tokenizer.json", folder);
    if (exists(folder / "tokenizer.model")) return std::make_shared<SentencePieceTokenizer>(folder / "tokenizer.model");
    if (has_merges(folder)) return open_hf(tokenizer_json_of_merges(folder), "vocab.json", folder);
    throw Error(folder.string() +
                " holds no tokenizer: neither tokenizer.json nor tokenizer.model nor vocab.json with merges.txt. "
                "Copy the model's tokenizer files there, or give token ids instead of a text.");
}

}  // namespace suture
