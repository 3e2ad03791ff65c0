// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/added_tokens.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/text/internal/unicode.h"

namespace suture {
namespace {

bool ends_in_word(std::string_view text) {
    std::size_t end = text.size();
    return end > 0 && is_word(previous_code_point(text, end));
}

bool starts_with_word(std::string_view text) {
    std::size_t begin = 0;
    return !text.empty() && is_word(next_code_point(text, begin));
}

std::size_t white_space_from(std::string_view text, std::size_t end) {
    for (std::size_t i = end; i < text.size() && is_white_space(next_code_point(text, i));) end = i;
    return end;
}

std::size_t white_space_down_to(std::string_view text, std::size_t begin, std::size_t limit) {
    for (std::size_t i = begin; i > limit && is_white_space(previous_code_point(text, i));) begin = i;
    return begin;
}

bool is_word_end(std::string_view text, std::size_t position) {
    if (position == 0 || (text[position] != ' ' && text[position] != '\n')) return false;
    return !is_white_space(previous_code_point(text, position));
}

}  // namespace

std::size_t last_word_end(std::string_view text) {
    for (std::size_t i = text.size(); i-- > 1;)
        if (is_word_end(text, i)) return i;
    return 0;
}

AddedToken added_token_of(const nlohmann::json& entry, std::int64_t id) {
    AddedToken token;
    token.content = entry.at("content").get<std::string>();
    token.id = id;
    token.special = entry.value("special", false);
    token.normalized = entry.value("normalized", !token.special);
    token.single_word = entry.value("single_word", false);
    token.lstrip = entry.value("lstrip", false);
    token.rstrip = entry.value("rstrip", false);
    return token;
}

void AddedTokens::Matcher::add(const std::string& content, std::size_t token) {
    contents.resize(std::max(contents.size(), token + 1));
    contents[token] = content;
    if (content.empty()) return;
    by_first_byte[static_cast<unsigned char>(content[0])].push_back(token);
    empty = false;
}

void AddedTokens::Matcher::sort() {
    for (auto& tokens : by_first_byte)
        std::stable_sort(tokens.begin(), tokens.end(),
                         [&](std::size_t a, std::size_t b) { return contents[a].size() > contents[b].size(); });
}

AddedTokens::AddedTokens(std::vector<AddedToken> tokens, Normalizer normalizer)
    : tokens_(std::move(tokens)), normalizer_(std::move(normalizer)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const auto& token = tokens_[i];
        token.normalized ? normalized_.add(normalizer_(token.content), i) : raw_.add(token.content, i);
        // A token with a word end inside could lie across a cut; where a normalised one lies in the raw text is not known.
        if ((token.normalized && normalizer_.apply) || last_word_end(token.content) > 0) cuts_at_word_end_ = false;
    }
    cuts_at_word_end_ = cuts_at_word_end_ && normalizer_.cuts_at_word_end;
    raw_.sort();
    normalized_.sort();
}

std::vector<Segment> AddedTokens::find(std::string_view text, const Matcher& matcher) const {
    std::vector<Segment> result;
    std::size_t from = 0;
    const auto add_text = [&](std::size_t end) {
        if (end > from) result.push_back({std::nullopt, std::string(text.substr(from, end - from)), from == 0});
    };
    for (std::size_t i = 0; !matcher.empty && i < text.size();) {
        const auto& candidates = matcher.by_first_byte[static_cast<unsigned char>(text[i])];
        const auto it = std::find_if(candidates.begin(), candidates.end(),
                                     [&](std::size_t t) { return text.compare(i, matcher.contents[t].size(), matcher.contents[t]) == 0; });
        if (it == candidates.end()) {
            ++i;
            continue;
        }
        const auto& token = tokens_[*it];
        auto begin = i, end = i + matcher.contents[*it].size();
        i = end;
        if (token.single_word && (ends_in_word(text.substr(0, begin)) || starts_with_word(text.substr(end)))) continue;
        if (token.lstrip) begin = white_space_down_to(text, begin, from);
        if (token.rstrip) end = white_space_from(text, end);
        add_text(begin);
        result.push_back({token.id, {}, false});
        from = end;
    }
    add_text(text.size());
    return result;
}

std::vector<Segment> AddedTokens::split(std::string_view text) const {
    std::vector<Segment> result;
    for (auto& segment : find(text, raw_)) {
        if (segment.id) {
            result.push_back(segment);
            continue;
        }
        for (auto& part : find(normalizer_(segment.text), normalized_)) {
            part.at_start = part.at_start && segment.at_start;
            result.push_back(std::move(part));
        }
    }
    return result;
}

}  // namespace suture
