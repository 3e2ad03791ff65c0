// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/normalizer.h"

#include <unicode/bytestream.h>
#include <unicode/locid.h>
#include <unicode/normalizer2.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/text/internal/regex.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

using nlohmann::json;
using IcuForm = const icu::Normalizer2* (*)(UErrorCode&);

Normalizer unicode_form(IcuForm form) {
    UErrorCode status = U_ZERO_ERROR;
    const auto* normalizer = form(status);
    if (U_FAILURE(status)) throw Error(std::string("ICU has no data for Unicode normalisation: ") + u_errorName(status) + ".");
    return {[normalizer](std::string_view text) {
        if (std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; })) return std::string(text);
        if (text.size() > INT32_MAX) throw Error("The text is larger than 2 GiB, more than can be normalised at once. Use a part of it.");
        std::string result;
        icu::StringByteSink<std::string> sink(&result, std::int32_t(text.size()));
        UErrorCode failed = U_ZERO_ERROR;
        normalizer->normalizeUTF8(0, icu::StringPiece(text.data(), std::int32_t(text.size())), sink, nullptr, failed);
        if (U_FAILURE(failed)) throw Error(std::string("Unicode normalisation failed: ") + u_errorName(failed) + ".");
        return result;
    }};
}

/// Character by character, so that no rule that looks at the neighbours applies.
std::string lowercase(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const char32_t c = next_code_point(text, i);
        if (c < 0x80) result += (c >= 'A' && c <= 'Z') ? char(c + 32) : char(c);
        else icu::UnicodeString(UChar32(c)).toLower(icu::Locale::getRoot()).toUTF8String(result);
    }
    return result;
}

std::string strip_accents(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size();)
        if (const char32_t c = next_code_point(text, i); !is_mark(c)) append_code_point(result, c);
    return result;
}

Normalizer prepend(const json& entry) {
    return {[what = entry.at("prepend").get<std::string>()](std::string_view text) {
        return text.empty() ? std::string() : what + std::string(text);
    }};
}

Normalizer replace(const json& entry) {
    const auto& pattern = entry.at("pattern");
    const bool literal = pattern.contains("String");
    const std::string source = literal ? pattern.at("String") : pattern.at("Regex");
    const auto apply = [regex = Regex(source, literal), content = entry.at("content").get<std::string>()](std::string_view text) {
        return regex.replaced(text, content);
    };
    std::size_t first = 0;
    if (literal && !source.empty()) next_code_point(source, first);
    return {apply, literal && first == source.size()};  // one character can't lie on both sides of a cut
}

Normalizer strip(const json& entry) {
    const bool left = entry.value("strip_left", true), right = entry.value("strip_right", true);
    return {[=](std::string_view text) {
        std::size_t begin = 0, end = text.size();
        for (std::size_t i = 0; left && i < end && is_white_space(next_code_point(text, i));) begin = i;
        for (std::size_t i = end; right && i > begin && is_white_space(previous_code_point(text, i));) end = i;
        return std::string(text.substr(begin, end - begin));
    }};
}

/// Steps see what earlier ones made of the text around a cut. Stripping relies on the original white space, so it may only come
/// first; replacing may turn a space into something else, so only Prepend, which looks at nothing, may follow it.
bool sequence_cuts_at_word_end(const json& steps) {
    bool replaced = false;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto type = steps[i].value("type", "");
        if ((replaced && type != "Prepend") || (type == "Strip" && i > 0) || type == "Sequence") return false;
        replaced = replaced || type == "Replace";
    }
    return true;
}

Normalizer sequence(const json& entry) {
    std::vector<Normalizer> steps;
    bool cuts = sequence_cuts_at_word_end(entry.at("normalizers"));
    for (const auto& step : entry.at("normalizers")) {
        steps.push_back(make_normalizer(step));
        cuts = cuts && steps.back().cuts_at_word_end;
    }
    if (steps.empty()) return {};
    return {[steps](std::string_view text) {
                std::string result(text);
                for (const auto& step : steps) result = step(result);
                return result;
            },
            cuts};
}

}  // namespace

Normalizer make_normalizer(const json& entry) {
    if (entry.is_null()) return {};
    static const std::map<std::string, Normalizer (*)(const json&)> makers = {
        {"NFC", [](const json&) { return unicode_form(icu::Normalizer2::getNFCInstance); }},
        {"NFD", [](const json&) { return unicode_form(icu::Normalizer2::getNFDInstance); }},
        {"NFKC", [](const json&) { return unicode_form(icu::Normalizer2::getNFKCInstance); }},
        {"NFKD", [](const json&) { return unicode_form(icu::Normalizer2::getNFKDInstance); }},
        {"Lowercase", [](const json&) { return Normalizer{lowercase}; }},
        {"StripAccents", [](const json&) { return Normalizer{strip_accents}; }},
        {"Prepend", prepend},
        {"Replace", replace},
        {"Strip", strip},
        {"Sequence", sequence}};
    const auto type = entry.value("type", "");
    const auto it = makers.find(type);
    if (it == makers.end()) throw Error("The normalizer \"" + type + "\" is not supported.");
    return it->second(entry);
}

}  // namespace suture
