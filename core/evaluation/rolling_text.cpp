// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/evaluation/rolling.h"
#include "core/evaluation/wikitext.h"
#include "core/text/internal/corpus.h"

namespace suture {
namespace {

void check(const RollingSettings& s) {
    const auto one_of = [](const char* option, const std::string& value, const std::string& a, const std::string& b) {
        if (value != a && value != b) throw usage_error(std::string(option) + " " + value + ": give " + a + " or " + b + ".");
    };
    if (s.length < 0 || s.length == 1)
        throw usage_error("--rolling-length " + std::to_string(s.length) + ": give at least 2 tokens, or 0.");
    if (s.limit < 0) throw usage_error("--rolling-limit " + std::to_string(s.limit) + ": give a number of documents, or 0 for all.");
    one_of("--rolling-encoding", s.encoding, "0.4.4", "tokenizer");
    one_of("--rolling-spacing", s.spacing, "wikitext", "as-is");
    one_of("--rolling-documents", s.documents, "wikitext", "file");
}

std::vector<std::string> documents_of(const std::string& text, const std::filesystem::path& file, const RollingSettings& settings) {
    if (is_json_lines(file)) return json_lines_field(text, settings.field, file);
    if (settings.documents == "wikitext") return wikitext_pages(text);
    return {text};
}

std::vector<std::int64_t> encoded(const Tokenizer& tokenizer, const std::string& text, const RollingSettings& settings) {
    auto ids = tokenizer.encode(text);
    if (settings.encoding == "tokenizer" && tokenizer.adds_bos() && tokenizer.bos() && (ids.empty() || ids[0] != *tokenizer.bos()))
        ids.insert(ids.begin(), *tokenizer.bos());
    return ids;
}

}  // namespace

const std::vector<Setting<RollingSettings>>& RollingSettings::fields() {
    using S = RollingSettings;
    static const std::vector<Setting<S>> list{
        {"rolling-length", "Window length", "Tokens the model reads at once; 0 for its max_position_embeddings.", &S::length, {}},
        {"rolling-encoding",
         "Special tokens",
         "None in front of a document, as lm_eval 0.4.4 encodes, or those the tokenizer adds.",
         &S::encoding,
         {"0.4.4", "tokenizer"}},
        {"rolling-spacing",
         "Spacing",
         "What the model reads: the text with WikiText's spacing undone, or as it is.",
         &S::spacing,
         {"wikitext", "as-is"}},
        {"rolling-documents",
         "Documents",
         "A document is a WikiText page, or the file; a .jsonl file's rows are one each.",
         &S::documents,
         {"wikitext", "file"}},
        {"rolling-field", "Field", "Field of a .jsonl file's rows that holds the document.", &S::field, {}},
        {"rolling-limit", "Documents at most", "Documents to score, from the beginning; 0 for all.", &S::limit, {}}};
    return list;
}

std::vector<RollingWindow> rolling_windows(std::span<const std::int64_t> ids, std::int64_t prefix, std::int64_t length) {
    std::vector<std::int64_t> whole{prefix};  // whole[i] is read, whole[i + 1] is predicted
    whole.insert(whole.end(), ids.begin(), ids.end());
    std::vector<RollingWindow> windows;
    const std::int64_t total = std::int64_t(ids.size());
    for (std::int64_t done = 0; done < total;) {
        const std::int64_t scored = std::min(length, total - done);
        const std::int64_t end = done + scored + 1;                   // behind the last predicted one
        const std::int64_t begin = done == 0 ? 0 : end - 1 - length;  // a later window reads `length` ids, however few it predicts
        windows.push_back({{whole.begin() + begin, whole.begin() + end}, scored});
        done += scored;
    }
    return windows;
}

std::int64_t RollingText::tokens() const {
    std::int64_t sum = 0;
    for (const auto& document : documents)
        for (const auto& window : document.windows) sum += std::int64_t(window.ids.size()) - 1;
    return sum;
}

nlohmann::json RollingText::conditions() const {
    auto result = settings_to_json(settings);
    result.update({{"text", source}, {"text_sha256", digest}, {"prefix_token_id", prefix}, {"documents_scored", documents.size()}});
    return result;
}

RollingText rolling_text(const Model& model, const Tokenizer& tokenizer, const std::filesystem::path& file,
                         const RollingSettings& settings) {
    check(settings);
    RollingText result;
    result.settings = settings;
    if (settings.length == 0) result.settings.length = model.architecture().rope.max_positions;
    if (result.settings.length < 2)
        throw usage_error(model.folder().string() + ": config.json names no max_position_embeddings; give --rolling-length.");
    const auto prefix = tokenizer.bos() ? tokenizer.bos() : tokenizer.eos();
    if (!prefix) throw Error("The tokenizer (" + tokenizer.description() + ") has neither BOS nor EOS to begin a document with.");
    result.prefix = *prefix;

    const TextFile text = read_text(file, false);
    result.source = file.filename().string();
    result.digest = text.digest;
    for (const auto& original : documents_of(text.text, file, settings)) {
        if (settings.limit > 0 && std::int64_t(result.documents.size()) == settings.limit) break;
        const std::string read = settings.spacing == "wikitext" ? undo_wikitext_spacing(original) : original;
        result.documents.push_back({original, count_words(original), std::int64_t(original.size()),
                                    rolling_windows(encoded(tokenizer, read, settings), result.prefix, result.settings.length)});
    }
    if (result.tokens() == 0) throw Error("The text " + file.string() + " gives no token. Name a text file that is not empty.");
    return result;
}

}  // namespace suture
