// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/tokens.h"

#include <algorithm>
#include <cmath>

#include "core/figures/internal/parts.h"
#include "core/figures/internal/token_texts.h"

namespace suture {
namespace {

constexpr std::int64_t most_columns = 1024;

struct Stretch {
    std::int64_t window = 0, begin = 0, end = 0;  // places among all tokens
    std::int64_t size() const { return end - begin; }
};

Stretch window_of(const Statistics& s, std::int64_t wanted) {
    const auto window = std::clamp<std::int64_t>(wanted, 0, s.windows() - 1);
    return {window, s.window_begin[std::size_t(window)], s.window_begin[std::size_t(window) + 1]};
}

std::span<const float> magnitudes(const Statistics& s, const TokenOptions& options, std::int64_t point, const Stretch& at) {
    const auto all = options.measure == TokenMeasure::L2 ? s.token_l2.row(point) : s.token_abs.row(int(options.basis), point);  // [N]
    return all.subspan(std::size_t(at.begin), std::size_t(at.size()));
}

double magnitude(std::span<const float> row, TokenMeasure measure) {
    double sum = 0;
    for (const float v : row) sum += measure == TokenMeasure::L2 ? double(v) * double(v) : std::abs(double(v));
    return measure == TokenMeasure::L2 ? std::sqrt(sum) : sum / double(row.size());
}

std::string measure_words(const TokenOptions& options) {
    if (options.measure == TokenMeasure::L2) return "L2 norm (activation units)";
    return options.basis == Basis::Hadamard ? "mean |x·H| (activation units)" : "mean |x| (activation units)";
}

std::string window_words(const Statistics& s, const Stretch& at) {
    return "window " + std::to_string(at.window) + " of 0–" + std::to_string(s.windows() - 1);
}

Series line(const std::string& name, Role role, std::span<const float> values, const std::vector<std::string>& labels) {
    Series series{.name = name, .role = role, .point_labels = labels};
    for (std::size_t i = 0; i < values.size(); ++i) {
        series.x.push_back(double(i));
        series.y.push_back(double(values[i]));
    }
    return series;
}

/// Behind a scalar every token's magnitude is known; behind any other patch those of the sampled tokens.
Series patched_tokens(const SeamView& view, const TokenOptions& options, const Stretch& at, const std::vector<std::string>& labels) {
    const Statistics& s = *view.statistics;
    if (!view.patch->map) return {.name = "patched", .role = Role::Patched};
    const StreamMap& map = *view.patch->map;
    if (map.scale.data.size() == 1 && map.bias.empty()) {
        Series series = line("patched", Role::Patched, magnitudes(s, options, view.seam->start, at), labels);
        for (double& y : series.y) y *= std::abs(map.scale.data[0]);
        return series;
    }
    Series series{.name = "patched", .role = Role::Patched, .style = Series::Style::Points};
    if (!view.patched_sample || view.patched_sample->empty() ||
        (options.measure == TokenMeasure::MeanAbs && options.basis == Basis::Hadamard))
        return series;
    for (std::size_t i = 0; i < s.sample_tokens.size(); ++i) {
        const auto position = s.sample_tokens[i] - at.begin;
        if (position < 0 || position >= at.size()) continue;
        series.x.push_back(double(position));
        series.y.push_back(magnitude(view.patched_sample->row(i), options.measure));
        series.point_labels.push_back(labels[std::size_t(position)]);
    }
    return series;
}

/// The largest of the tokens that share a column, and that token's place in the window.
void fill_columns(Matrix& values, std::vector<std::int64_t>& strongest, const Statistics& s, const TokenOptions& options,
                  const Stretch& at) {
    std::vector<float> best(std::size_t(values.size(1)), -1.0f);
    for (std::int64_t p = 0; p < s.points(); ++p) {
        const auto row = magnitudes(s, options, p, at);
        for (std::int64_t t = 0; t < at.size(); ++t) {
            const auto column = std::size_t(t * values.size(1) / at.size());
            const float v = row[std::size_t(t)];
            double& cell = values.at(p, column);
            cell = std::max(cell, double(v));
            if (v > best[column]) {
                best[column] = v;
                strongest[column] = t;
            }
        }
    }
}

}  // namespace

Figure token_magnitudes(const SeamView& view, const TokenOptions& options, const TokenText& text) {
    Figure result = figure("tokens", "Magnitude of every token on both sides of the seam",
                           {.title = "position in the window (tokens)", .integers = true},
                           {.title = measure_words(options), .log = options.log}, missing(view));
    if (!result.empty.empty()) return result;
    const Statistics& s = *view.statistics;
    const Stretch at = window_of(s, options.window);
    const auto labels = token_texts(std::span(s.ids).subspan(std::size_t(at.begin), std::size_t(at.size())), text);
    result.series.push_back(line("expected", Role::Dense, magnitudes(s, options, view.seam->end, at), labels));
    result.series.push_back(line("unpatched", Role::Unpatched, magnitudes(s, options, view.seam->start, at), labels));
    std::string note;
    if (view.patch) {
        Series patched = patched_tokens(view, options, at, labels);
        if (patched.style == Series::Style::Points) note = "patched: " + grouped(std::int64_t(patched.x.size())) + " sampled tokens";
        if (!patched.x.empty()) result.series.push_back(std::move(patched));
        else note = view.patch->map ? "no sampled token of this window is known behind the patch" : edit_note(view.patch);
    }
    result.caption = joined({conditions_words(s.conditions), window_words(s, at), seam_words(view), note});
    return result;
}

Figure token_map(const Statistics* statistics, const TokenOptions& options, const TokenText& text) {
    Figure result = figure("tokens-by-layer", "Magnitude of every token along the layers",
                           {.title = "position in the window (tokens)", .integers = true},
                           {.title = "stream entering layer", .integers = true}, missing(statistics));
    if (!statistics) return result;
    const Statistics& s = *statistics;
    const Stretch at = window_of(s, options.window);
    const std::int64_t columns = std::min(at.size(), most_columns);
    HeatMap map{.values = Matrix({s.points(), columns}),
                .value_title = measure_words(options),
                .log = options.log,
                .column_scale = double(at.size()) / double(columns)};
    std::vector<std::int64_t> strongest(std::size_t(columns), 0);
    fill_columns(map.values, strongest, s, options, at);
    for (const auto position : strongest) map.column_labels.push_back(token_text(s.ids[std::size_t(at.begin + position)], text));
    result.map = std::move(map);
    const std::string pooled = columns < at.size() ? "each cell the largest of its tokens" : "";
    result.caption =
        joined({conditions_words(s.conditions), window_words(s, at), std::to_string(s.layers) + " stands for the final norm", pooled});
    return result;
}

}  // namespace suture
