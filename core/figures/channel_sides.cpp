// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/internal/channel_sides.h"

#include <algorithm>
#include <cmath>

#include "core/figures/words.h"

namespace suture {
namespace {

/// The patch has to be seen on the sampled tokens, and it can be.
bool from_sample(const SeamView& view, Basis basis) {
    return view.patch && view.patched_sample && !view.patched_sample->empty() && basis == Basis::Raw &&
           !scales_channels(*view.patch, basis);
}

double scale_of(const StreamMap& map, std::size_t channel) { return map.scale.data[map.scale.data.size() == 1 ? 0 : channel]; }

/// Places in the sample of the tokens that count.
std::vector<std::size_t> counted_sample(const Statistics& s) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < s.sample_tokens.size(); ++i)
        if (s.counted[std::size_t(s.sample_tokens[i])]) places.push_back(i);
    return places;
}

std::string source_words(const SeamView& view, Basis basis) {
    if (from_sample(view, basis))
        return "all curves over " + grouped(std::int64_t(counted_sample(*view.statistics).size())) + " sampled tokens";
    const std::string all = "over all " + grouped(view.statistics->counted_tokens()) + " tokens";
    if (!view.patch || scales_channels(*view.patch, basis)) return all;
    if (!view.patch->map) return all + "; " + edit_note(view.patch);
    if (basis == Basis::Hadamard) return all + "; this patch can be followed in the raw basis only";
    return all + "; the patch has not been applied to the sampled tokens yet";
}

/// Σ of `value` over the counted sampled tokens, per channel, divided by their number. `value` gets x_s, x_e and x_s·P.
template <class Value>
std::vector<double> sample_mean(const SeamView& view, Value&& value) {
    const Statistics& s = *view.statistics;
    std::vector<double> sum(std::size_t(s.hidden), 0.0);
    const auto places = counted_sample(s);
    for (const std::size_t i : places) {
        const auto given = s.sample.row(view.seam->start, i), expected = s.sample.row(view.seam->end, i),
                   patched = view.patched_sample->row(i);
        for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += value(double(given[c]), double(expected[c]), double(patched[c]));
    }
    for (double& v : sum) v /= double(places.size());
    return sum;
}

void take_roots(std::vector<double>& values) {
    for (double& v : values) v = std::sqrt(std::max(v, 0.0));  // differences of sums may round to below 0
}

}  // namespace

ChannelSides channel_means(const SeamView& view, Basis basis) {
    const Statistics& s = *view.statistics;
    ChannelSides sides{.source = source_words(view, basis)};
    if (from_sample(view, basis)) {
        sides.expected = sample_mean(view, [](double, double e, double) { return std::abs(e); });
        sides.unpatched = sample_mean(view, [](double x, double, double) { return std::abs(x); });
        sides.patched = sample_mean(view, [](double, double, double p) { return std::abs(p); });
        return sides;
    }
    sides.expected = s.mean_abs(int(basis), view.seam->end);
    sides.unpatched = s.mean_abs(int(basis), view.seam->start);
    if (!view.patch || !scales_channels(*view.patch, basis)) return sides;
    sides.patched = sides.unpatched;
    for (std::size_t c = 0; c < sides.patched.size(); ++c) sides.patched[c] *= std::abs(scale_of(*view.patch->map, c));
    return sides;
}

ChannelSides channel_rms_errors(const SeamView& view, Basis basis) {
    const Statistics& s = *view.statistics;
    ChannelSides sides{.source = source_words(view, basis)};
    if (from_sample(view, basis)) {
        sides.unpatched = sample_mean(view, [](double x, double e, double) { return (x - e) * (x - e); });
        sides.patched = sample_mean(view, [](double, double e, double p) { return (p - e) * (p - e); });
    } else {
        const auto given = s.square.row(int(basis), view.seam->start), expected = s.square.row(int(basis), view.seam->end);
        const auto product = s.product.row(int(basis), s.pair_index(view.seam->start, view.seam->end));
        const double tokens = double(s.counted_tokens());
        const bool exact = view.patch && scales_channels(*view.patch, basis);
        for (std::size_t c = 0; c < given.size(); ++c) {
            const double d = exact ? scale_of(*view.patch->map, c) : 1;
            sides.unpatched.push_back((given[c] - 2 * product[c] + expected[c]) / tokens);
            if (exact) sides.patched.push_back((d * d * given[c] - 2 * d * product[c] + expected[c]) / tokens);
        }
    }
    take_roots(sides.unpatched);
    take_roots(sides.patched);
    return sides;
}

}  // namespace suture
