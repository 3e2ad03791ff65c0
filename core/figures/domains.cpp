// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/domains.h"

#include <cmath>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

double geometric_mean(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += std::log(value);
    return std::exp(sum / double(values.size()));
}

std::string conditions_of(const DomainMatrix& m, std::size_t text) {
    return joined({m.texts[text],
                   grouped(m.measured[text]) + " windows of " + grouped(m.conditions.value("seqlen", std::int64_t(0))) +
                       " tokens behind the " + grouped(m.fitted[text]) + " fitted on",
                   m.conditions.value("dtype", std::string())});
}

}  // namespace

Figure domain_map(const DomainMatrix* matrix) {
    Figure result =
        figure("domains", "Perplexity against the patch fitted on the same text", {.title = "evaluated on"}, {.title = "fitted on"},
               matrix ? "" : "Choose two or more texts and compare to see whether a patch fitted on one helps on the others.");
    if (!matrix) return result;
    const auto texts = std::int64_t(matrix->texts.size());
    HeatMap map{
        .values = Matrix({texts, texts}), .value_title = "times the perplexity of the text's own patch", .diverging = true, .centre = 1};
    for (std::int64_t row = 0; row < texts; ++row)
        for (std::int64_t column = 0; column < texts; ++column)
            map.values.at(row, column) = matrix->perplexity.at(row, column) / matrix->perplexity.at(column, column);
    map.rows_downwards = true;
    map.reach = 0.02;  // differences below a few percent are no strong colour
    result.map = std::move(map);
    result.x.labels = result.y.labels = matrix->texts;
    result.caption = joined({repair_kind(matrix->kind).label, "every text is evaluated on windows that no patch was fitted on"});
    return result;
}

Table domain_table(const DomainMatrix& matrix, bool stale) {
    Table table{.title = "Perplexity across texts", .columns = {{"variant"}}, .rows = {}};
    for (const std::string& text : matrix.texts) table.columns.push_back({text});
    table.columns.push_back({"geometric mean"});
    table.columns.push_back({"state"});
    const auto add = [&](const std::string& name, std::span<const double> perplexities) {
        std::vector<Cell> row{name};
        row.insert(row.end(), perplexities.begin(), perplexities.end());
        row.emplace_back(geometric_mean(perplexities));
        row.emplace_back(stale ? "stale" : "fresh");
        table.rows.push_back(std::move(row));
        table.notes.push_back({""});
        for (std::size_t t = 0; t < matrix.texts.size(); ++t) table.notes.back().push_back(conditions_of(matrix, t));
    };
    add("Dense", matrix.dense);
    add("No repair", matrix.unpatched);
    for (std::size_t t = 0; t < matrix.texts.size(); ++t)
        add(repair_kind(matrix.kind).label + " fitted on " + matrix.texts[t], matrix.perplexity.row(t));
    return table;
}

}  // namespace suture
