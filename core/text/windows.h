// SPDX-License-Identifier: GPL-3.0-or-later
// Texts cut into the token windows that a model is measured on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/setting.h"
#include "core/text/tokenizer.h"

namespace suture {

struct WindowSettings {
    std::int64_t seqlen = 512;    ///< tokens per window, a BOS in front included
    std::int64_t windows = 32;    ///< at most; 0: all the text gives
    std::int64_t stride = 0;      ///< text tokens between window starts; 0: as many as one window holds
    std::int64_t skip_first = 0;  ///< first tokens of every window left out of statistics and scores
    std::string mask = "none";    ///< "none" | "special": special tokens left out of statistics
    std::string bos = "auto";     ///< "auto" (never, but window for gemma families) | "never" | "window"
    bool normalise_text = false;  ///< strips a byte-order mark, CRLF -> LF
    std::string text_field;       ///< of every line of a .jsonl file, joined by "\n\n"; empty: the file as it stands
    /// "as-is" | "wikitext": a raw WikiText file as the published rows joined by "\n\n" (each keeps its line feed, blank ones are
    /// empty) | "ptb": lines without white space at their ends, joined by "\n\n". The usual conventions for token perplexity.
    std::string text_rows = "as-is";

    static const std::vector<Setting<WindowSettings>>& fields();
};

struct Windows {
    std::vector<std::vector<std::int64_t>> ids;  ///< one per window
    std::vector<std::vector<bool>> counted;      ///< [window][token]: false where skip_first or mask leave a token out
    std::string source;                          ///< file name without folder, or "token ids"
    std::string digest;                          ///< SHA-256 of the text file's bytes, or of the ids
    bool bos = false;                            ///< one BOS stands in front of every window
    std::vector<std::string> warnings;           ///< sentences for people
    WindowSettings settings;                     ///< as given; for token ids seqlen is the longest window

    std::int64_t tokens() const;  ///< in all windows
    /// {text, text_sha256, seqlen, stride, windows, bos, skip_first, mask, normalise_text}: `stride` is the one used, `windows`
    /// their number, `bos` "never" or "window". With text_field or text_rows these too.
    nlohmann::json conditions() const;
};

/// Windows of a text file, tokenised once without special tokens and cut from the beginning. A short remainder is dropped; a text
/// shorter than one window is one window. With BOS a window of seqlen tokens is BOS and seqlen-1 text tokens; a BOS that the text
/// itself begins with is taken for the first window's.
/// `family`, e.g. "llama" or "gemma2", decides bos "auto". Reads only as much of a large file as the windows need where the
/// tokenizer can tell that the rest changes nothing. Throws Error naming the file: can't be read, not UTF-8 (with the byte
/// offset), gives no token; usage Error for settings that make no sense.
Windows windows_of_text(const Tokenizer& tokenizer, const std::filesystem::path& file, const WindowSettings& settings,
                        const std::string& family);

/// Windows as given: a JSON array of arrays of ids, one window each, all of them and unaltered. Throws Error naming the file and
/// the first window that is empty or holds an id outside 0 … vocabulary_size-1; usage Error for mask "special", because only a
/// tokenizer knows special tokens.
Windows windows_of_ids(const std::filesystem::path& file, std::int64_t vocabulary_size, const WindowSettings& settings);

}  // namespace suture
