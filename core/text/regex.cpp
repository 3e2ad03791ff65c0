// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr const char* word_class = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";

/// Oniguruma's \w and \s differ from PCRE2's: marks and connectors are word characters, other numbers are not, and white space is
/// the Unicode property.
std::string translated(const std::string& pattern) {
    std::string result;
    bool in_class = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '[') in_class = true;
        if (c == ']') in_class = false;
        if (in_class && c == '&' && pattern.compare(i, 2, "&&") == 0)
            throw Error("The regular expression \"" + pattern + "\" intersects character classes (&&), which Suture does not support.");
        if (c != '\\' || i + 1 == pattern.size()) {
            result += c;
            continue;
        }
        const char escaped = pattern[++i];
        if (escaped == 's') result += "\\p{White_Space}";
        else if (escaped == 'S') result += "\\P{White_Space}";
        else if (escaped == 'w') result += in_class ? word_class : "[" + std::string(word_class) + "]";
        else if (escaped == 'W' && !in_class) result += "[^" + std::string(word_class) + "]";
        else if (escaped == 'W' || escaped == 'h' || escaped == 'H')
            throw Error("The regular expression \"" + pattern + "\" holds \\" + escaped + " where Suture does not support it.");
        else (result += c) += escaped;
    }
    return result;
}

std::string message_of(int code) {
    PCRE2_UCHAR text[256];
    pcre2_get_error_message(code, text, sizeof text);
    return reinterpret_cast<const char*>(text);
}

struct Scratch {
    std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data{pcre2_match_data_create(1, nullptr), pcre2_match_data_free};
    std::unique_ptr<pcre2_match_context, decltype(&pcre2_match_context_free)> context{pcre2_match_context_create(nullptr),
                                                                                      pcre2_match_context_free};
    std::unique_ptr<pcre2_jit_stack, decltype(&pcre2_jit_stack_free)> stack{pcre2_jit_stack_create(32 << 10, 64 << 20, nullptr),
                                                                            pcre2_jit_stack_free};
    Scratch() { pcre2_jit_stack_assign(context.get(), nullptr, stack.get()); }
};

}  // namespace

Regex::Regex(const std::string& pattern, bool literal) : pattern_(pattern) {
    int error = 0;
    PCRE2_SIZE at = 0;
    const auto source = literal ? pattern : translated(pattern);
    std::unique_ptr<pcre2_compile_context, decltype(&pcre2_compile_context_free)> context(pcre2_compile_context_create(nullptr),
                                                                                          pcre2_compile_context_free);
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    // In Oniguruma ^ and $ stand at every line.
    const std::uint32_t options = PCRE2_UTF | (literal ? std::uint32_t(PCRE2_LITERAL) : std::uint32_t(PCRE2_UCP | PCRE2_MULTILINE));
    auto* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(), options, &error, &at, context.get());
    if (!code) throw Error("The regular expression \"" + pattern + "\" can't be used: " + message_of(error) + ".");
    code_ = std::shared_ptr<void>(code, [](void* c) { pcre2_code_free(static_cast<pcre2_code*>(c)); });
    pcre2_jit_compile(code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);  // without JIT the same calls are interpreted
}

void Regex::matches(std::string_view text, bool open, Matches& result) const {
    thread_local Scratch scratch;
    const auto* code = static_cast<const pcre2_code*>(code_.get());
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    // Partial matching stops wherever the answer could depend on what follows the end.
    const std::uint32_t options = PCRE2_NO_UTF_CHECK | (open ? std::uint32_t(PCRE2_PARTIAL_HARD) : 0);
    const PCRE2_SIZE* found = pcre2_get_ovector_pointer(scratch.data.get());
    result.found.clear();
    result.certain = text.size();
    for (std::size_t from = 0; from < text.size();) {
        const int rc = pcre2_match(code, subject, text.size(), from, options, scratch.data.get(), scratch.context.get());
        if (rc == PCRE2_ERROR_NOMATCH) return;
        if (rc == PCRE2_ERROR_PARTIAL) {
            result.certain = found[0];
            return;
        }
        if (rc < 0) throw Error("The regular expression \"" + pattern_ + "\" failed on the text: " + message_of(rc) + ".");
        if (found[1] > found[0]) {
            result.found.push_back({found[0], found[1]});
            from = found[1];
        } else {
            from = found[1] + 1;
            while (from < text.size() && (text[from] & 0xC0) == 0x80) ++from;
        }
    }
}

std::string Regex::replaced(std::string_view text, std::string_view content) const {
    Matches all;
    matches(text, false, all);
    std::string result;
    result.reserve(text.size());
    std::size_t from = 0;
    for (const auto [begin, end] : all.found) {
        result.append(text, from, begin - from).append(content);
        from = end;
    }
    return result.append(text, from);
}

}  // namespace suture
