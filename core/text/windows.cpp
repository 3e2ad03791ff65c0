// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/windows.h"

#include <algorithm>
#include <fstream>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/text/internal/corpus.h"

namespace suture {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int64_t>;

void check(const WindowSettings& s) {
    const auto refuse = [](const std::string& sentence) { throw usage_error(sentence); };
    if (s.seqlen < 1) refuse("--seqlen " + std::to_string(s.seqlen) + ": a window needs at least one token.");
    if (s.windows < 0) refuse("--windows " + std::to_string(s.windows) + ": give a number of windows, or 0 for all.");
    if (s.stride < 0) refuse("--stride " + std::to_string(s.stride) + ": give a number of tokens, or 0 for the window length.");
    if (s.skip_first < 0) refuse("--skip-first " + std::to_string(s.skip_first) + ": give a number of tokens from 0 on.");
    if (s.mask != "none" && s.mask != "special") refuse("--mask " + s.mask + ": give none or special.");
    if (s.text_rows != "as-is" && s.text_rows != "wikitext" && s.text_rows != "ptb")
        refuse("--text-rows " + s.text_rows + ": give as-is, wikitext or ptb.");
    if (s.bos != "auto" && s.bos != "never" && s.bos != "window") refuse("--bos " + s.bos + ": give auto, never or window.");
}

/// Whether every window gets a BOS; says what a person should know about that.
bool resolve_bos(const Tokenizer& tokenizer, const WindowSettings& settings, const std::string& family,
                 std::vector<std::string>& warnings) {
    const bool gemma = family.starts_with("gemma");
    if (settings.bos == "never" || (settings.bos == "auto" && !gemma)) {
        if (gemma) warnings.push_back("Gemma models need a BOS token: without one their perplexity means nothing. Use --bos window.");
        return false;
    }
    if (tokenizer.bos()) return true;
    if (settings.bos == "window")
        throw usage_error("--bos window needs a BOS token, but this tokenizer (" + tokenizer.description() +
                          ") has none. Use --bos never.");
    warnings.push_back("The tokenizer names no BOS token, so none stands in front of the windows although Gemma models need it.");
    return false;
}

void count_tokens(Windows& windows, const Ids& special) {
    for (const auto& ids : windows.ids) {
        auto& counted = windows.counted.emplace_back(ids.size(), true);
        for (std::size_t t = 0; t < ids.size(); ++t)
            counted[t] = std::int64_t(t) >= windows.settings.skip_first && !std::binary_search(special.begin(), special.end(), ids[t]);
    }
    for (const auto& counted : windows.counted)
        if (std::find(counted.begin(), counted.end(), true) != counted.end()) return;
    throw usage_error("--skip-first " + std::to_string(windows.settings.skip_first) + " with --mask " + windows.settings.mask +
                      " leaves no token in any window. Use a smaller number or longer windows.");
}

/// Consecutive windows of `content` text tokens, each behind its BOS when there is one.
std::vector<Ids> cut(const Ids& ids, std::size_t content, std::size_t stride, std::size_t most, std::optional<std::int64_t> bos) {
    std::vector<Ids> result;
    const auto add = [&](std::size_t begin, std::size_t end) {
        Ids& window = result.emplace_back();
        if (bos) window.push_back(*bos);
        window.insert(window.end(), ids.begin() + std::ptrdiff_t(begin), ids.begin() + std::ptrdiff_t(end));
    };
    if (ids.size() < content) add(0, ids.size());
    for (std::size_t begin = 0; begin + content <= ids.size() && (most == 0 || result.size() < most); begin += stride)
        add(begin, begin + content);
    return result;
}

std::string plural(std::int64_t n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

}  // namespace

const std::vector<Setting<WindowSettings>>& WindowSettings::fields() {
    using S = WindowSettings;
    static const std::vector<Setting<S>> list = {
        {"seqlen", "Window length", "Tokens per window, a BOS in front included.", &S::seqlen, {}},
        {"windows", "Windows", "Number of windows at most, from the beginning of the text; 0 for all.", &S::windows, {}},
        {"stride", "Stride", "Text tokens between the starts of two windows; 0 for the window length.", &S::stride, {}},
        {"skip-first",
         "Skip first",
         "Number of tokens at the start of every window left out of statistics and scores.",
         &S::skip_first,
         {}},
        {"mask", "Mask", "Which tokens are left out of statistics: none, or the special ones.", &S::mask, {"none", "special"}},
        {"bos",
         "BOS",
         "BOS token in front of every window, or never; auto means never, except for Gemma.",
         &S::bos,
         {"auto", "never", "window"}},
        {"normalise-text", "Normalise text", "Strips a byte-order mark and turns CRLF into LF before tokenising.", &S::normalise_text, {}},
        {"text-field",
         "Text field",
         "Field of every line of a .jsonl file that holds the text; joined by blank lines.",
         &S::text_field,
         {}},
        {"text-rows",
         "Text rows",
         "How lines become a text: as they are, or as the rows of WikiText or the Penn Treebank joined by blank lines.",
         &S::text_rows,
         {"as-is", "wikitext", "ptb"}}};
    return list;
}

std::int64_t Windows::tokens() const {
    std::int64_t result = 0;
    for (const auto& window : ids) result += std::int64_t(window.size());
    return result;
}

json Windows::conditions() const {
    json result{{"text", source},
                {"text_sha256", digest},
                {"seqlen", settings.seqlen},
                {"stride", settings.stride > 0 ? settings.stride : settings.seqlen - (bos ? 1 : 0)},
                {"windows", ids.size()},
                {"bos", bos ? "window" : "never"},
                {"skip_first", settings.skip_first},
                {"mask", settings.mask},
                {"normalise_text", settings.normalise_text}};
    // Named only where they are used, so that results kept by an earlier version stay valid.
    if (!settings.text_field.empty()) result["text_field"] = settings.text_field;
    if (settings.text_rows != "as-is") result["text_rows"] = settings.text_rows;
    return result;
}

Windows windows_of_text(const Tokenizer& tokenizer, const std::filesystem::path& file, const WindowSettings& settings,
                        const std::string& family) {
    check(settings);
    Windows result;
    result.settings = settings;
    result.source = file.filename().string();
    result.bos = resolve_bos(tokenizer, settings, family, result.warnings);
    if (result.bos && settings.seqlen < 2) throw usage_error("--seqlen 1 with --bos window leaves no room for text. Use a longer window.");
    const auto content = settings.seqlen - (result.bos ? 1 : 0);
    const auto stride = settings.stride > 0 ? settings.stride : content;

    const auto text = read_corpus(file, settings, result.warnings);
    result.digest = text.digest;
    // One more than the windows hold, for a BOS that the text may begin with.
    const auto needed = settings.windows > 0 ? (settings.windows - 1) * stride + content + 1 : 0;
    auto ids = first_ids(tokenizer, text.text, needed);
    if (result.bos && !ids.empty() && ids.front() == *tokenizer.bos()) {
        ids.erase(ids.begin());
        result.warnings.push_back("The text already begins with the BOS token; the first window gets no second one.");
    }
    if (ids.empty()) throw Error("The text " + file.string() + " gives no token. Name a text file that is not empty.");

    result.ids =
        cut(ids, std::size_t(content), std::size_t(stride), std::size_t(settings.windows), result.bos ? tokenizer.bos() : std::nullopt);
    if (std::int64_t(ids.size()) < content)
        result.warnings.push_back("The text is shorter than one window: " + plural(std::int64_t(result.ids[0].size()), "token") +
                                  " instead of " + std::to_string(settings.seqlen) + ".");
    else if (std::int64_t(result.ids.size()) < settings.windows)
        result.warnings.push_back("The text gives " + plural(std::int64_t(result.ids.size()), "window") + " instead of " +
                                  std::to_string(settings.windows) + ".");
    count_tokens(result, settings.mask == "special" ? tokenizer.special_ids() : Ids());
    return result;
}

Windows windows_of_ids(const std::filesystem::path& file, std::int64_t vocabulary_size, const WindowSettings& settings) {
    check(settings);
    if (settings.mask == "special") throw usage_error("--mask special needs a text: only a tokenizer knows which token ids are special.");
    std::ifstream stream(file, std::ios::binary);
    if (!stream || std::filesystem::is_directory(file))
        throw Error("The token ids " + file.string() + " can't be read. Name a JSON file that exists.");
    const auto given = json::parse(stream, nullptr, false);
    if (!given.is_array() || given.empty()) throw Error(file.string() + " is not a JSON array of arrays of token ids, one per window.");

    Windows result;
    for (const auto& window : given) {
        const auto name = file.string() + ", window " + std::to_string(result.ids.size());
        if (!window.is_array() || window.empty()) throw Error(name + " is not a non-empty array of token ids.");
        auto& ids = result.ids.emplace_back();
        for (const auto& id : window) {
            const auto number = id.is_number_integer() ? id.get<std::int64_t>() : -1;
            if (number < 0 || number >= vocabulary_size)
                throw Error(name + ", token " + std::to_string(ids.size()) + ": " + id.dump() + " is no token id; expected 0 to " +
                            std::to_string(vocabulary_size - 1) + ", the vocabulary of this model.");
            ids.push_back(number);
        }
    }
    result.source = "token ids";
    result.digest = sha256_hex(json(result.ids).dump());
    result.settings = settings;
    result.settings.seqlen = 0;
    result.settings.stride = 0;
    for (const auto& ids : result.ids) result.settings.seqlen = std::max(result.settings.seqlen, std::int64_t(ids.size()));
    count_tokens(result, {});
    return result;
}

}  // namespace suture
