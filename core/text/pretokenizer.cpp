// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/pretokenizer.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/internal/byte_level.h"
#include "core/text/internal/metaspace.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using nlohmann::json;

/// The pattern that GPT-2 was trained with.
constexpr const char* gpt2_regex = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

/// Writes every piece anew through `write(piece, is the very first, text)`, which appends to the text.
template <class Write>
void rewrite(Pieces& pieces, Write write) {
    std::string text;
    text.reserve(pieces.text.size() + pieces.text.size() / 2);
    for (auto& span : pieces.spans) {
        const auto begin = text.size();
        write(pieces.view(span), pieces.at_start && span.begin == 0, text);
        // A piece that begins the input keeps offset 0, any other one must not take it.
        if (begin == 0 && span.begin != 0) pieces.at_start = false;
        span = {begin, text.size()};
    }
    pieces.text = std::move(text);
}

PreTokenizer byte_level(const json& entry) {
    const bool prefix_space = entry.value("add_prefix_space", true);
    const Pattern pattern = entry.value("use_regex", true) ? regex_pattern(gpt2_regex) : Pattern();
    return [=](Pieces& pieces) {
        if (prefix_space)
            rewrite(pieces, [](std::string_view piece, bool, std::string& text) {
                if (!piece.starts_with(' ')) text += ' ';
                text += piece;
            });
        if (pattern) split_pieces(pieces, pattern, SplitBehavior::Isolated);
        rewrite(pieces, [](std::string_view piece, bool, std::string& text) { append_byte_characters(text, piece); });
    };
}

PreTokenizer metaspace(const json& entry) {
    const auto space = metaspace_of(entry);
    const bool split = entry.value("split", true);
    const auto pattern = literal_pattern(space.replacement);
    return [=](Pieces& pieces) {
        rewrite(pieces, [&](std::string_view piece, bool first, std::string& text) {
            const bool starts = piece.starts_with(' ') || piece.starts_with(space.replacement);
            if (!starts && (space.prepend == Metaspace::Prepend::Always || (space.prepend == Metaspace::Prepend::First && first)))
                text += space.replacement;
            for (const char c : piece) c == ' ' ? text += space.replacement : text += c;
        });
        if (split) split_pieces(pieces, pattern, SplitBehavior::MergedWithNext);
    };
}

PreTokenizer by_pattern(Pattern pattern, SplitBehavior behavior, bool invert = false) {
    return [=](Pieces& pieces) { split_pieces(pieces, pattern, behavior, invert); };
}

PreTokenizer digits(const json& entry) {
    return by_pattern(character_pattern(is_numeric),
                      entry.value("individual_digits", false) ? SplitBehavior::Isolated : SplitBehavior::Contiguous);
}

PreTokenizer punctuation(const json& entry) {
    return by_pattern(character_pattern(is_punctuation), split_behavior(entry.value("behavior", "Isolated")));
}

PreTokenizer split(const json& entry) {
    const auto& pattern = entry.at("pattern");
    const auto compiled = pattern.contains("Regex") ? regex_pattern(pattern.at("Regex")) : literal_pattern(pattern.at("String"));
    return by_pattern(compiled, split_behavior(entry.at("behavior")), entry.value("invert", false));
}

PreTokenizer whitespace(const json&) { return by_pattern(regex_pattern(R"(\w+|[^\w\s]+)"), SplitBehavior::Removed, true); }

PreTokenizer whitespace_split(const json&) { return by_pattern(character_pattern(is_white_space), SplitBehavior::Removed); }

PreTokenizer sequence(const json& entry) {
    std::vector<PreTokenizer> steps;
    for (const auto& step : entry.at("pretokenizers")) steps.push_back(make_pretokenizer(step));
    return [=](Pieces& pieces) {
        for (const auto& step : steps) step(pieces);
    };
}

}  // namespace

PreTokenizer make_pretokenizer(const json& entry) {
    if (entry.is_null()) return [](Pieces&) {};
    static const std::map<std::string, PreTokenizer (*)(const json&)> makers = {{"ByteLevel", byte_level},
                                                                                {"Metaspace", metaspace},
                                                                                {"Digits", digits},
                                                                                {"Punctuation", punctuation},
                                                                                {"Split", split},
                                                                                {"Whitespace", whitespace},
                                                                                {"WhitespaceSplit", whitespace_split},
                                                                                {"Sequence", sequence}};
    const auto type = entry.value("type", "");
    const auto it = makers.find(type);
    if (it == makers.end()) throw Error("The pre-tokenizer \"" + type + "\" is not supported.");
    return it->second(entry);
}

}  // namespace suture
