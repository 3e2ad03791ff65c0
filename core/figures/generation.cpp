// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/generation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/figures/internal/parts.h"
#include "core/generation/answer.h"

namespace suture {
namespace {

double mean(const std::vector<double>& values, std::size_t from) {
    if (values.size() <= from) return std::numeric_limits<double>::quiet_NaN();
    return std::accumulate(values.begin() + std::ptrdiff_t(from), values.end(), 0.0) / double(values.size() - from);
}

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

}  // namespace

Figure loss_differences(const std::vector<VariantLabel>& variants, const TokenLosses* text) {
    const std::string missing = !text                 ? "Run a prompt to see where the pruned model disagrees with the dense one."
                                : variants.size() < 2 ? "Choose layers to remove in the strip on the left; there is nothing to compare yet."
                                                      : "";
    Figure result = figure("loss-differences", "Where do they disagree? Loss of the dense model's text under each variant, minus dense",
                           {.title = "token", .integers = true}, {.title = "difference (nats)"}, missing);
    if (!missing.empty()) return result;
    for (std::size_t v = 1; v < variants.size(); ++v) {
        Series curve{.name = variants[v].shown(), .role = variants[v].shown_role(), .style = Series::Style::LineAndPoints};
        for (std::size_t t = 0; t < text->losses[v].size(); ++t) {
            curve.x.push_back(double(t + 1));
            curve.y.push_back(text->losses[v][t] - text->losses[0][t]);
            curve.point_labels.push_back("“" + text->tokens[t + 1] + "”");
        }
        result.series.push_back(std::move(curve));
    }
    result.guides.push_back({0, ""});
    if (text->prompt_tokens > 1) result.spans.push_back({0, double(text->prompt_tokens - 1), Role::Neutral, "prompt"});
    result.caption = "above 0: the variant finds the token less likely than the dense model does";
    return result;
}

Table generation_table(const std::vector<VariantLabel>& variants, std::span<const Generation> texts, const TokenLosses* losses) {
    Table table{.title = "Texts",
                .columns = {{"variant"},
                            {"new tokens"},
                            {"ended"},
                            {"prompt (s)", 3},
                            {"tokens per second", 1},
                            {"loss of the dense text (nats per token)", 3},
                            {"state"}},
                .rows = {}};
    for (std::size_t v = 0; v < texts.size(); ++v) {
        const auto from = losses ? std::size_t(std::max<std::int64_t>(losses->prompt_tokens - 1, 0)) : 0;
        table.rows.push_back({variants[v].label, std::int64_t(texts[v].ids.size()), texts[v].ended ? "by itself" : "by the limit",
                              texts[v].prefill_seconds, texts[v].tokens_per_second(),
                              losses ? measured(mean(losses->losses[v], from)) : Cell(), variants[v].state()});
    }
    return table;
}

Table answers_table(const std::vector<VariantLabel>& variants, std::span<const ReasoningResult> results) {
    Table table{
        .title = "Answers",
        .columns = {{"variant"}, {"correct"}, {"problems"}, {"accuracy (%)", 1}, {"± stderr", 1}, {"cut off by the limit"}, {"state"}},
        .rows = {}};
    for (std::size_t v = 0; v < results.size(); ++v) {
        const ReasoningResult& r = results[v];
        table.rows.push_back({variants[v].label, std::int64_t(std::llround(r.accuracy() * double(r.rows.size()))),
                              std::int64_t(r.rows.size()), 100 * r.accuracy(), 100 * r.accuracy_stderr(), r.cut_off(),
                              variants[v].state()});
        const auto text = [&](const char* name) { return r.conditions.value(name, std::string()); };
        const auto settings = r.conditions.value("settings", nlohmann::json::object());
        table.notes.emplace_back(
            table.columns.size(),
            joined({text("problems"), "chat form " + text("chat_form"),
                    settings.value("temperature", 0.0) == 0 ? std::string("greedy")
                                                            : "temperature " + significant(settings["temperature"], 3) + ", seed " +
                                                                  grouped(settings.value("seed", std::int64_t(0))),
                    "at most " + grouped(settings.value("max_tokens", std::int64_t(0))) + " tokens", text("dtype")}));
    }
    return table;
}

Table problems_table(const std::vector<VariantLabel>& variants, const std::vector<std::vector<ReasoningRow>>& rows) {
    Table table{.title = "Problems", .columns = {{"problem"}, {"expected"}}, .rows = {}};
    for (const VariantLabel& variant : variants) table.columns.push_back({variant.label});
    if (rows.empty()) return table;
    std::size_t complete = rows[0].size();
    for (const auto& of_variant : rows) complete = std::min(complete, of_variant.size());
    for (std::size_t i = 0; i < complete; ++i) {
        const Problem& problem = rows[0][i].problem;
        std::vector<Cell> cells{one_line(problem.prompt), expected_answer(problem.answer)};
        for (const auto& of_variant : rows) {
            const ReasoningRow& row = of_variant[i];
            cells.emplace_back((row.correct ? "✓ " : "✗ ") + one_line(row.answer.value_or("no answer")));
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

}  // namespace suture
