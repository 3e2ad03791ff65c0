// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/rolling.h"

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

/// "wiki.test.raw · 62 documents · 2,048 tokens at once · …"
std::string conditions_of(const RollingEvaluation& result) {
    const auto text = [&](const char* name) { return result.conditions.value(name, std::string()); };
    return joined({text("text"), grouped(std::int64_t(result.documents.size())) + " documents",
                   grouped(result.conditions.value("rolling_length", std::int64_t(0))) + " tokens at once",
                   "spacing " + text("rolling_spacing"), "encoding " + text("rolling_encoding"), text("dtype")});
}

std::string interval_words(const std::optional<Interval>& interval) {
    return interval ? significant(interval->low, 4) + " – " + significant(interval->high, 4) : "";
}

}  // namespace

Table rolling_table(const std::string& title, const std::vector<std::string>& names, std::span<const RollingEvaluation> results) {
    Table table{.title = title,
                .columns = {{"variant"},
                            {"word perplexity", 4},
                            {"95 % low", 4},
                            {"95 % high", 4},
                            {"byte perplexity", 4},
                            {"bits per byte", 4},
                            {"documents"}},
                .rows = {}};
    if (results.size() > 1)
        table.columns.insert(table.columns.end(), {{"times dense", 4}, {"95 % low of the ratio", 4}, {"95 % high of the ratio", 4}});
    for (std::size_t v = 0; v < results.size(); ++v) {
        const RollingEvaluation& r = results[v];
        const auto interval = r.interval();
        table.rows.push_back({names[v], r.word_perplexity(), interval ? Cell(interval->low) : Cell(),
                              interval ? Cell(interval->high) : Cell(), r.byte_perplexity(), r.bits_per_byte(),
                              std::int64_t(r.documents.size())});
        if (results.size() < 2) continue;
        const auto ratio = v > 0 ? r.ratio_interval(results[0]) : std::nullopt;
        table.rows.back().insert(table.rows.back().end(), {r.word_perplexity() / results[0].word_perplexity(),
                                                           ratio ? Cell(ratio->low) : Cell(), ratio ? Cell(ratio->high) : Cell()});
    }
    return table;
}

Table rolling_comparison(const std::vector<VariantLabel>& variants, std::span<const RollingEvaluation> results) {
    Table table{.title = "Word and byte perplexity",
                .columns = {{"variant"},
                            {"word perplexity", 3},
                            {"95 % interval"},
                            {"times dense"},
                            {"95 % interval of the ratio"},
                            {"byte perplexity", 4},
                            {"bits per byte", 4},
                            {"documents"},
                            {"state"}},
                .rows = {}};
    for (std::size_t v = 0; v < results.size(); ++v) {
        const RollingEvaluation& r = results[v];
        Cell ratio;
        if (v > 0) ratio = r.word_perplexity() / results[0].word_perplexity();
        table.rows.push_back({variants[v].label, r.word_perplexity(), interval_words(r.interval()), ratio,
                              v > 0 ? interval_words(r.ratio_interval(results[0])) : "", r.byte_perplexity(), r.bits_per_byte(),
                              std::int64_t(r.documents.size()), variants[v].state()});
        table.notes.emplace_back(table.columns.size(), conditions_of(r));
    }
    return table;
}

}  // namespace suture
