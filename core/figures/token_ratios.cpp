// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/figures/internal/parts.h"
#include "core/figures/tokens.h"

namespace suture {
namespace {

constexpr std::size_t bins = 60;
constexpr double narrowest = 0.01;  // decades on both sides of ratios that are all alike

/// Mean |x_e| over mean |x_s| of the counted tokens; tokens without a positive ratio have no place on a logarithmic axis.
std::vector<double> token_ratios_of(const SeamView& view, int basis) {
    const Statistics& s = *view.statistics;
    const auto expected = s.token_abs.row(basis, view.seam->end), given = s.token_abs.row(basis, view.seam->start);  // [N]
    std::vector<double> ratios;
    for (std::size_t t = 0; t < given.size(); ++t)
        if (s.counted[t] && given[t] > 0 && expected[t] > 0) ratios.push_back(double(expected[t]) / double(given[t]));
    return ratios;
}

double standard_deviation(const std::vector<double>& values) {
    double mean = 0, square = 0;
    for (const double v : values) mean += v / double(values.size());
    for (const double v : values) square += (v - mean) * (v - mean) / double(values.size());
    return std::sqrt(square);
}

/// Decades that hold all ratios.
std::pair<double, double> decades(const std::vector<double>& a, const std::vector<double>& b) {
    const auto [low_a, high_a] = std::minmax_element(a.begin(), a.end());
    const auto [low_b, high_b] = std::minmax_element(b.begin(), b.end());
    const double low = std::log10(std::min(*low_a, *low_b)), high = std::log10(std::max(*high_a, *high_b));
    return high - low < 2 * narrowest ? std::pair((low + high) / 2 - narrowest, (low + high) / 2 + narrowest) : std::pair(low, high);
}

/// The outline of a histogram over bins of equal width in decades, from 0 back to 0.
Series outline(const std::string& name, Role role, const std::vector<double>& ratios, double low, double high) {
    std::vector<double> share(bins, 0.0);  // % of the tokens
    for (const double ratio : ratios) {
        const double place = (std::log10(ratio) - low) / (high - low) * double(bins);
        share[std::size_t(std::clamp(place, 0.0, double(bins) - 1))] += 100 / double(ratios.size());
    }
    const auto edge = [&](std::size_t i) { return std::pow(10.0, low + (high - low) * double(i) / double(bins)); };
    Series series{.name = name, .role = role, .x = {edge(0)}, .y = {0}};
    for (std::size_t i = 0; i < bins; ++i) {
        series.x.insert(series.x.end(), {edge(i), edge(i + 1)});
        series.y.insert(series.y.end(), {share[i], share[i]});
    }
    series.x.push_back(edge(bins));
    series.y.push_back(0);
    return series;
}

}  // namespace

Figure token_ratios(const SeamView& view) {
    Figure result = figure("token-ratios", "How much the removed layers scaled every token",
                           {.title = "mean |x| expected / given", .log = true}, {.title = "tokens (%)"}, missing(view));
    if (!result.empty.empty()) return result;
    const auto raw = token_ratios_of(view, 0), hadamard = token_ratios_of(view, 1);
    if (raw.empty() || hadamard.empty()) {
        result.empty = "No token has a magnitude on both sides of the seam; calibrate on another text.";
        return result;
    }
    const auto [low, high] = decades(raw, hadamard);
    result.series = {outline("raw basis", Role::Neutral, raw, low, high), outline("Hadamard basis", Role::Accent, hadamard, low, high)};
    const Statistics& s = *view.statistics;
    const auto both = [](const std::string& name, double in_raw, double in_hadamard) {
        return name + " " + significant(in_raw, 3) + " raw, " + significant(in_hadamard, 3) + " Hadamard";
    };
    result.caption =
        joined({conditions_words(s.conditions), seam_words(view),
                both("standard deviation", standard_deviation(raw), standard_deviation(hadamard)),
                both("incoherence μ of the given stream", s.incoherence(0, view.seam->start), s.incoherence(1, view.seam->start))});
    return result;
}

}  // namespace suture
