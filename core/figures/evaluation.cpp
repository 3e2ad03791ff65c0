// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/evaluation.h"

#include <algorithm>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

using Rows = std::vector<EvaluationRow>;

const EvaluationRow* evaluated(const Rows& rows, Role role) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const EvaluationRow& row) { return row.role == role && row.evaluation; });
    return found == rows.end() ? nullptr : &*found;
}

/// Over the same windows of the same text, so that the numbers can be compared.
bool comparable(const Evaluation& a, const Evaluation& b) {
    for (const char* condition : {"text_sha256", "seqlen", "stride", "bos", "skip_first", "mask"}) {
        const auto of = [&](const Evaluation& e) {
            return e.conditions.is_object() && e.conditions.contains(condition) ? e.conditions[condition] : nlohmann::json();
        };
        if (of(a) != of(b)) return false;
    }
    return std::equal(a.windows.begin(), a.windows.end(), b.windows.begin(), b.windows.end(),
                      [](const WindowScore& x, const WindowScore& y) { return x.tokens == y.tokens; });
}

std::string shown_label(const EvaluationRow& row) { return row.stale ? row.label + " (stale)" : row.label; }

std::string role_words(Role role) { return role == Role::Dense ? "dense" : role == Role::Unpatched ? "removed, no repair" : "repaired"; }

std::string conditions_of(const Rows& rows) {
    for (const EvaluationRow& row : rows)
        if (row.evaluation && !row.stale) return conditions_words(row.evaluation->conditions);
    return {};
}

std::string missing(const Rows& rows) {
    const bool any = std::any_of(rows.begin(), rows.end(), [](const EvaluationRow& row) { return row.evaluation != nullptr; });
    return any ? "" : "Choose a text and evaluate to see what the removal costs.";
}

/// Empty below eight windows.
std::string interval_words(const std::optional<Interval>& interval) {
    return interval ? significant(interval->low, 4) + " – " + significant(interval->high, 4) : "";
}

double window_perplexity(const WindowScore& window) { return perplexity(window.nll_sum, double(window.tokens)); }

Series window_points(const EvaluationRow& row, const Evaluation& dense) {
    Series series{.name = shown_label(row), .role = row.role, .style = Series::Style::Points};
    for (std::size_t w = 0; w < dense.windows.size(); ++w) {
        if (dense.windows[w].tokens == 0) continue;
        series.x.push_back(window_perplexity(dense.windows[w]));
        series.y.push_back(window_perplexity(row.evaluation->windows[w]));
        series.point_labels.push_back("window " + std::to_string(w));
    }
    return series;
}

}  // namespace

Figure perplexity_bars(const Rows& rows) {
    Figure result = figure("perplexity", "Perplexity of every variant", {.title = "variant"}, {.title = "perplexity"}, missing(rows));
    if (!result.empty.empty()) return result;
    bool intervals = false;
    for (const Role role : {Role::Dense, Role::Unpatched, Role::Patched}) {
        Series series{.name = role_words(role), .role = role, .style = Series::Style::Bars};
        double place = 0;
        for (const EvaluationRow& row : rows) {
            if (!row.evaluation) continue;
            if (row.role == role) {
                const double value = row.evaluation->perplexity();
                const auto interval = row.evaluation->interval();
                intervals |= interval.has_value();
                series.x.push_back(place);
                series.y.push_back(value);
                series.low.push_back(interval ? interval->low : value);
                series.high.push_back(interval ? interval->high : value);
            }
            ++place;
        }
        if (!series.x.empty()) result.series.push_back(std::move(series));
    }
    for (const EvaluationRow& row : rows)
        if (row.evaluation) result.x.labels.push_back(shown_label(row));
    if (!intervals)
        for (Series& series : result.series) series.low.clear(), series.high.clear();
    result.caption = joined({conditions_of(rows), intervals ? "95 % intervals over windows" : "too few windows for intervals"});
    return result;
}

Figure window_perplexities(const Rows& rows) {
    Figure result = figure("window-perplexities", "Perplexity window by window", {.title = "perplexity of the dense model", .log = true},
                           {.title = "perplexity of the variant", .log = true}, missing(rows));
    const EvaluationRow* dense = evaluated(rows, Role::Dense);
    if (result.empty.empty() && !dense) result.empty = "Evaluate the dense model too to compare window by window.";
    if (!result.empty.empty()) return result;
    for (const EvaluationRow& row : rows)
        if (row.role != Role::Dense && row.evaluation && comparable(*row.evaluation, *dense->evaluation))
            result.series.push_back(window_points(row, *dense->evaluation));
    if (result.series.empty()) {
        result.empty = "Evaluate the pruned model on the dense model's text to compare window by window.";
        return result;
    }
    const auto [low, high] = std::minmax_element(result.series[0].x.begin(), result.series[0].x.end());
    if (low != result.series[0].x.end()) result.series.push_back({.name = "as good as dense", .x = {*low, *high}, .y = {*low, *high}});
    result.caption = joined({conditions_words(dense->evaluation->conditions), "a point is a window"});
    return result;
}

Table evaluation_table(const Rows& rows) {
    Table table{.title = "Perplexity",
                .columns = {{"variant"},
                            {"perplexity"},
                            {"95 % interval"},
                            {"times dense"},
                            {"95 % interval of the ratio"},
                            {"change against no repair (%)", 1},
                            {"relative error, median token", 4},
                            {"windows"},
                            {"tokens"},
                            {"state"}}};
    const EvaluationRow *dense = evaluated(rows, Role::Dense), *unpatched = evaluated(rows, Role::Unpatched);
    for (const EvaluationRow& row : rows) {
        if (!row.evaluation) {
            table.rows.push_back({row.label, {}, {}, {}, {}, {}, measured(row.error_median), {}, {}, "not evaluated"});
            table.notes.emplace_back();
            continue;
        }
        const Evaluation& own = *row.evaluation;
        Cell ratio, ratio_interval, change;
        if (dense && &row != dense && comparable(own, *dense->evaluation)) {
            ratio = own.perplexity() / dense->evaluation->perplexity();
            ratio_interval = interval_words(own.ratio_interval(*dense->evaluation));
        }
        if (unpatched && row.role == Role::Patched && comparable(own, *unpatched->evaluation))
            change = 100 * (own.perplexity() / unpatched->evaluation->perplexity() - 1);
        table.rows.push_back({row.label, own.perplexity(), interval_words(own.interval()), ratio, ratio_interval, change,
                              measured(row.error_median), std::int64_t(own.windows.size()), own.tokens(), row.stale ? "stale" : "fresh"});
        table.notes.emplace_back(table.columns.size(), conditions_words(own.conditions));
    }
    return table;
}

}  // namespace suture
