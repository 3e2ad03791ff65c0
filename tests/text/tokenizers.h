// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers for one test, and texts to try them on.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/text/tokenizer.h"
#include "tests/support/data.h"

namespace suture::test {

using Ids = std::vector<std::int64_t>;

inline void write_file(const std::filesystem::path& file, const std::string& content) { std::ofstream(file, std::ios::binary) << content; }

/// A tokenizer file of tests/data under the name by which a model folder would hold it.
inline std::shared_ptr<const Tokenizer> open_alone(const std::filesystem::path& file) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(file, folder.path() / (file.extension() == ".model" ? "tokenizer.model" : "tokenizer.json"));
    return Tokenizer::open(folder.path());
}

/// The tokenizer of a tokenizer.json with this content, beside the files given as {name, content}.
inline std::shared_ptr<const Tokenizer> open_json(const nlohmann::json& entries,
                                                  const std::vector<std::pair<std::string, nlohmann::json>>& files = {}) {
    const TemporaryFolder folder;
    write_file(folder.path() / "tokenizer.json", entries.dump());
    for (const auto& [name, content] : files) write_file(folder.path() / name, content.dump());
    return Tokenizer::open(folder.path());
}

/// A BPE without merges whose vocabulary is `tokens`, numbered from 0.
inline nlohmann::json bpe_of(const std::vector<std::string>& tokens, nlohmann::json merges = nlohmann::json::array()) {
    nlohmann::json vocabulary = nlohmann::json::object();
    for (const auto& token : tokens) vocabulary[token] = vocabulary.size();
    return {{"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", std::move(merges)}}}, {"decoder", {{"type", "Fuse"}}}};
}

}  // namespace suture::test
