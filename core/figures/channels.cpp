// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/channels.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/figures/internal/channel_sides.h"
#include "core/figures/internal/parts.h"

namespace suture {
namespace {

constexpr std::size_t few_channels = 80;  // more points than this run into one another

/// The channels to show, in the order in which they are shown.
std::vector<std::size_t> shown_channels(const std::vector<double>& magnitude, const ChannelOptions& options) {
    std::vector<std::size_t> channels(magnitude.size());
    std::iota(channels.begin(), channels.end(), std::size_t{0});
    std::stable_sort(channels.begin(), channels.end(), [&](std::size_t a, std::size_t b) { return magnitude[a] > magnitude[b]; });
    if (options.top > 0 && channels.size() > std::size_t(options.top)) channels.resize(std::size_t(options.top));
    if (options.order == ChannelOrder::Number) std::sort(channels.begin(), channels.end());
    return channels;
}

Series channel_series(const std::string& name, Role role, const std::vector<double>& values, const std::vector<std::size_t>& channels,
                      ChannelOrder order) {
    Series series{.name = name, .role = role};
    if (channels.size() <= few_channels) series.style = Series::Style::LineAndPoints;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const bool ranked = order == ChannelOrder::Magnitude;
        series.x.push_back(double(ranked ? i + 1 : channels[i]));
        series.y.push_back(values[channels[i]]);
        if (ranked) series.point_labels.push_back("channel " + std::to_string(channels[i]));
    }
    return series;
}

Figure channel_figure(const std::string& id, const std::string& title, const std::string& y_title, const std::string& magnitude,
                      const SeamView& view, const ChannelOptions& options) {
    const bool hadamard = options.basis == Basis::Hadamard;
    const std::string channel = hadamard ? "Hadamard channel" : "channel";
    const Axis x{.title = options.order == ChannelOrder::Number ? channel : channel + "s by falling " + magnitude + " (rank)",
                 .integers = true};
    return figure(hadamard ? id + "-hadamard" : id, title + (hadamard ? ", in the Hadamard basis" : ""), x,
                  {.title = y_title, .log = options.log}, missing(view));
}

/// numerator over denominator; NaN where there is nothing to divide by.
std::vector<double> ratios(const std::vector<double>& numerator, const std::vector<double>& denominator) {
    std::vector<double> result;
    for (std::size_t c = 0; c < denominator.size(); ++c)
        result.push_back(denominator[c] > 0 ? numerator[c] / denominator[c] : std::numeric_limits<double>::quiet_NaN());
    return result;
}

void set_caption(Figure& figure, const SeamView& view, const std::string& source) {
    figure.caption = joined({conditions_words(view.statistics->conditions), seam_words(view), source});
}

}  // namespace

Figure channel_magnitudes(const SeamView& view, const ChannelOptions& options) {
    Figure result = channel_figure("channels", "Mean magnitude of every channel on both sides of the seam", "mean |x| (activation units)",
                                   "expected magnitude", view, options);
    if (!result.empty.empty()) return result;
    const ChannelSides sides = channel_means(view, options.basis);
    const auto channels = shown_channels(sides.expected, options);
    result.series.push_back(channel_series("expected", Role::Dense, sides.expected, channels, options.order));
    result.series.push_back(channel_series("unpatched", Role::Unpatched, sides.unpatched, channels, options.order));
    if (!sides.patched.empty()) result.series.push_back(channel_series("patched", Role::Patched, sides.patched, channels, options.order));
    set_caption(result, view, sides.source);
    return result;
}

Figure channel_ratios(const SeamView& view, const ChannelOptions& options) {
    Figure result = channel_figure("channel-ratios", "What the next layer expects, over what it gets", "mean |x| expected / given",
                                   "expected magnitude", view, options);
    if (!result.empty.empty()) return result;
    const ChannelSides sides = channel_means(view, options.basis);
    const auto channels = shown_channels(sides.expected, options);
    result.series.push_back(channel_series("unpatched", Role::Unpatched, ratios(sides.expected, sides.unpatched), channels, options.order));
    if (!sides.patched.empty())
        result.series.push_back(channel_series("patched", Role::Patched, ratios(sides.expected, sides.patched), channels, options.order));
    result.guides.push_back({1, "as expected"});
    set_caption(result, view, sides.source);
    return result;
}

Figure channel_errors(const SeamView& view, const ChannelOptions& options) {
    Figure result = channel_figure("channel-errors", "How far every channel is from what the next layer expects",
                                   "root mean square of x − x_e (activation units)", "unpatched error", view, options);
    if (!result.empty.empty()) return result;
    const ChannelSides sides = channel_rms_errors(view, options.basis);
    const auto channels = shown_channels(sides.unpatched, options);
    result.series.push_back(channel_series("unpatched", Role::Unpatched, sides.unpatched, channels, options.order));
    std::string better;
    if (!sides.patched.empty()) {
        result.series.push_back(channel_series("patched", Role::Patched, sides.patched, channels, options.order));
        std::int64_t closer = 0;
        for (std::size_t c = 0; c < sides.patched.size(); ++c) closer += sides.patched[c] < sides.unpatched[c];
        better = "the patch brings " + grouped(closer) + " of " + grouped(std::int64_t(sides.patched.size())) + " channels closer";
    }
    set_caption(result, view, joined({sides.source, better}));
    return result;
}

Table incoherence_table(const SeamView& view) {
    Table table{.title = "Incoherence μ: 1 when all entries are alike", .columns = {{"stream"}, {"raw", 2}, {"Hadamard", 2}}};
    if (!missing(view).empty()) return table;
    const Statistics& s = *view.statistics;
    const auto add = [&](const std::string& name, int point) {
        table.rows.push_back({name + " (entering " + point_words(point, s.layers) + ")", s.incoherence(0, point), s.incoherence(1, point)});
    };
    add("unpatched", view.seam->start);
    add("expected", view.seam->end);
    return table;
}

}  // namespace suture
