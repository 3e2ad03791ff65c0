// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/interval.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace suture {
namespace {

constexpr std::size_t resamples = 1000;
constexpr std::size_t fewest_windows = 8;

/// Percentile bootstrap of exp(Σ values / Σ counts) over windows drawn with replacement.
std::optional<Interval> bootstrap(std::span<const double> values, std::span<const double> counts) {
    const std::size_t windows = values.size();
    if (windows < fewest_windows) return std::nullopt;
    std::mt19937 random(0);
    std::vector<double> results(resamples);
    for (double& result : results) {
        double value = 0, count = 0;
        for (std::size_t i = 0; i < windows; ++i) {
            const std::size_t drawn = std::size_t(random()) % windows;  // the same on every platform, unlike a distribution
            value += values[drawn];
            count += counts[drawn];
        }
        result = std::exp(value / count);
    }
    std::sort(results.begin(), results.end());
    return Interval{results[std::size_t(0.025 * resamples)], results[std::size_t(0.975 * resamples) - 1]};
}

}  // namespace

std::optional<Interval> perplexity_interval(std::span<const double> sums, std::span<const double> counts) {
    return bootstrap(sums, counts);
}

std::optional<Interval> perplexity_ratio_interval(std::span<const double> sums, std::span<const double> base_sums,
                                                  std::span<const double> counts) {
    std::vector<double> differences(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) differences[i] = sums[i] - base_sums[i];
    return bootstrap(differences, counts);
}

}  // namespace suture
