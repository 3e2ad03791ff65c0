// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <limits>

#include "core/selection/internal/ranks.h"

namespace suture {
namespace {

/// ‖x_{l+1} − x_l‖ / ‖x_{l+1}‖ of a layer, mean over the sampled tokens; NaN without a sample.
double relative_update(const Statistics& s, int layer) {
    if (s.sample.empty()) return std::numeric_limits<double>::quiet_NaN();
    double sum = 0, tokens = 0;
    for (std::int64_t t = 0; t < s.sample.size(1); ++t) {
        if (!s.counted.empty() && !s.counted[std::size_t(s.sample_tokens[std::size_t(t)])]) continue;  // padding, for one
        const auto before = s.sample.row(layer, t), behind = s.sample.row(layer + 1, t);               // [C]
        double update = 0, norm = 0;
        for (std::size_t c = 0; c < before.size(); ++c) {
            update += std::pow(double(behind[c]) - double(before[c]), 2);
            norm += std::pow(double(behind[c]), 2);
        }
        sum += norm > 0 ? std::sqrt(update / norm) : 0;
        ++tokens;
    }
    return sum / tokens;
}

/// The relative magnitude of what a layer adds to the stream (Samragh et al. 2023, as ShortGPT compares it).
Ranking rank_by_update(const SelectionInput& input, int n) {
    std::vector<double> scores;
    for (int l = 0; l < input.layers(); ++l) scores.push_back(relative_update(*input.statistics, l));
    return lowest_layers("update-norm", scores, removable_layers(input.layers(), input.protection, input.statistics), n);
}

}  // namespace

extern const Criterion criterion_update_norm;
const Criterion criterion_update_norm{
    .order = 4,
    .name = "update-norm",
    .label = "Update norm",
    .help = "The n layers that add least to the stream: the update's L2 norm over that of the layer's output, mean over sampled tokens.",
    .rank = rank_by_update,
};

}  // namespace suture
