// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/split.h"

#include <map>

#include "core/base/error.h"
#include "core/text/internal/unicode.h"

namespace suture {
namespace {

struct Part {
    ByteSpan span;
    bool delimiter = false;
};

/// Matches and what lies between them, together everything up to `end`.
void cover(const Matches& matches, std::size_t end, bool invert, std::vector<Part>& parts) {
    parts.clear();
    std::size_t from = 0;
    for (const auto& match : matches.found) {
        if (match.begin > from) parts.push_back({{from, match.begin}, invert});
        parts.push_back({match, !invert});
        from = match.end;
    }
    if (end > from) parts.push_back({{from, end}, invert});
}

/// Joins neighbours where `joined(left, right)` says so.
template <class Joined>
void join(std::vector<Part>& parts, Joined joined) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (joined(parts[i - 1].delimiter, parts[i].delimiter)) parts[kept].span.end = parts[i].span.end;
        else parts[++kept].span = parts[i].span;
    }
    parts.resize(parts.empty() ? 0 : kept + 1);
}

void apply(SplitBehavior behavior, std::vector<Part>& parts) {
    switch (behavior) {
        case SplitBehavior::Isolated:
            break;
        case SplitBehavior::Removed:
            std::erase_if(parts, [](const Part& part) { return part.delimiter; });
            break;
        case SplitBehavior::Contiguous:
            join(parts, [](bool left, bool right) { return left == right; });
            break;
        case SplitBehavior::MergedWithPrevious:
            join(parts, [](bool left, bool right) { return !left && right; });
            break;
        case SplitBehavior::MergedWithNext:
            join(parts, [](bool left, bool right) { return left && !right; });
            break;
    }
}

}  // namespace

SplitBehavior split_behavior(const std::string& name) {
    static const std::map<std::string, SplitBehavior> names = {{"Removed", SplitBehavior::Removed},
                                                               {"Isolated", SplitBehavior::Isolated},
                                                               {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
                                                               {"MergedWithNext", SplitBehavior::MergedWithNext},
                                                               {"Contiguous", SplitBehavior::Contiguous}};
    const auto it = names.find(name);
    if (it == names.end()) throw Error("The split behavior \"" + name + "\" is not supported.");
    return it->second;
}

Pattern regex_pattern(const std::string& regex) {
    return [compiled = Regex(regex)](std::string_view text, bool open, Matches& result) { compiled.matches(text, open, result); };
}

Pattern literal_pattern(const std::string& text) {
    return [compiled = Regex(text, true)](std::string_view t, bool open, Matches& result) { compiled.matches(t, open, result); };
}

Pattern character_pattern(bool (*is_member)(char32_t)) {
    return [is_member](std::string_view text, bool, Matches& result) {
        result.found.clear();
        result.certain = text.size();
        for (std::size_t i = 0; i < text.size();) {
            const auto begin = i;
            if (is_member(next_code_point(text, i))) result.found.push_back({begin, i});
        }
    };
}

void split_pieces(Pieces& pieces, const Pattern& pattern, SplitBehavior behavior, bool invert) {
    std::vector<ByteSpan> result;
    result.reserve(pieces.spans.size() * 2);
    Matches matches;
    std::vector<Part> parts;
    bool still_open = false;
    for (std::size_t i = 0; i < pieces.spans.size(); ++i) {
        const auto span = pieces.spans[i];
        const bool open = pieces.open && i + 1 == pieces.spans.size();
        pattern(pieces.view(span), open, matches);
        // Behind `certain` an open piece may be cut anywhere, so nothing can be said about that text.
        cover(matches, open ? matches.certain : span.end - span.begin, invert, parts);
        if (open && !parts.empty()) {
            // A match found is complete; only a gap grows, or a match that may be joined to what follows it.
            const bool ends_in_gap = parts.back().delimiter == invert;
            const bool removed = behavior == SplitBehavior::Removed && parts.back().delimiter;
            still_open = !removed && (ends_in_gap || (behavior != SplitBehavior::Isolated && behavior != SplitBehavior::Removed));
        }
        apply(behavior, parts);
        for (const auto& part : parts) result.push_back({span.begin + part.span.begin, span.begin + part.span.end});
    }
    pieces.open = still_open;
    pieces.spans = std::move(result);
}

}  // namespace suture
