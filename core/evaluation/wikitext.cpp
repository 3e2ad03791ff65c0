// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/wikitext.h"

#include "core/text/internal/unicode.h"

namespace suture {
namespace {

/// What \s matches in the harness's regular expressions.
bool is_space(char32_t c) { return is_white_space(c) || (c >= 0x1C && c <= 0x1F); }

std::string_view stripped(std::string_view text) {
    std::size_t begin = 0, end = text.size();
    for (std::size_t next = begin; begin < end && is_space(next_code_point(text, next));) begin = next;
    for (std::size_t next = end; begin < end && is_space(previous_code_point(text, next));) end = next;
    return text.substr(begin, end - begin);
}

void replace(std::string& text, std::string_view from, std::string_view to) {
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at; (at = text.find(from, begin)) != std::string::npos; begin = at + from.size())
        result.append(text, begin, at - begin).append(to);
    text = result.append(text, begin);
}

/// Blanks just inside a pair: from an opening mark to the next closing one.
void trim_inside(std::string& text, char open, char close) {
    std::string result;
    std::size_t begin = 0;
    while (true) {
        const std::size_t first = text.find(open, begin), last = first == std::string::npos ? first : text.find(close, first + 1);
        if (last == std::string::npos) break;
        result.append(text, begin, first + 1 - begin).append(stripped(std::string_view(text).substr(first + 1, last - first - 1)));
        result += close;
        begin = last + 1;
    }
    text = result.append(text, begin);
}

bool is_title(std::string_view line) { return line.size() > 3 && line.starts_with(" = ") && line[3] != '=' && line.ends_with(" = "); }

}  // namespace

std::vector<std::string> wikitext_pages(std::string_view text) {
    std::vector<std::string> pages;
    std::size_t page = 0;
    const auto close = [&](std::size_t end) {
        const auto content = text.substr(page, end - page);
        if (!pages.empty() || !stripped(content).empty()) pages.emplace_back(content);
        page = end;
    };
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (is_title(text.substr(begin, end - begin)) && begin > page) close(begin);
        begin = end + 1;
    }
    close(text.size());
    return pages;
}

std::string undo_wikitext_spacing(std::string text) {
    const auto all = [&](std::initializer_list<std::pair<std::string_view, std::string_view>> list) {
        for (const auto& [from, to] : list) replace(text, from, to);
    };
    all({{"s '", "s'"},
         {" @-@ ", "-"},
         {" @,@ ", ","},
         {" @.@ ", "."},
         {" : ", ": "},
         {" ; ", "; "},
         {" . ", ". "},
         {" ! ", "! "},
         {" ? ", "? "},
         {" , ", ", "}});
    for (const auto& [open, close] : {std::pair('(', ')'), {'[', ']'}, {'{', '}'}, {'"', '"'}, {'\'', '\''}})
        trim_inside(text, open, close);
    all({{"= = = =", "===="}, {"= = =", "==="}, {"= =", "=="}, {" ° ", "°"}, {" \n", "\n"}, {"\n ", "\n"}, {" N ", " 1 "}, {" 's", "'s"}});
    return text;
}

std::int64_t count_words(std::string_view text) {
    std::int64_t gaps = 0;
    bool inside = false;
    for (std::size_t at = 0; at < text.size();) {
        const bool space = is_space(next_code_point(text, at));
        gaps += space && !inside;
        inside = space;
    }
    return gaps + 1;
}

}  // namespace suture
