// SPDX-License-Identifier: GPL-3.0-or-later
// How sure a measured number is.
#pragma once

#include <optional>
#include <span>

namespace suture {

/// A 95 % confidence interval.
struct Interval {
    double low = 0;
    double high = 0;
    bool operator==(const Interval&) const = default;
};

/// Interval of exp(Σ sums / Σ counts) by bootstrap over windows: 1,000 resamples, seed 0. Every call draws the same windows
/// for the same number of windows, so intervals of two models over the same text are paired. None below 8 windows.
/// `sums`: one NLL sum per window; `counts`: predicted tokens per window.
std::optional<Interval> perplexity_interval(std::span<const double> sums, std::span<const double> counts);

/// Interval of the ratio of two perplexities over the same windows, resampled together. None below 8 windows.
std::optional<Interval> perplexity_ratio_interval(std::span<const double> sums, std::span<const double> base_sums,
                                                  std::span<const double> counts);

}  // namespace suture
