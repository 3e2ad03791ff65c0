// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/internal/extremes.h"

namespace suture {
namespace {

constexpr std::size_t listed_tokens = 1000, listed_channels = 1000;  // more than anybody reads

double median(std::vector<double> values) {
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Massive activations: tokens far above their neighbours.
class Extremes : public Observer {
public:
    explicit Extremes(const CalibrationSettings& settings) : settings_(settings) {}

    void observe(const WindowStates& window) override {
        for (auto& token : extreme_tokens_of(window, settings_.extreme_token)) tokens_.push_back(token);
    }

    void finish(Statistics& statistics) override {
        std::stable_sort(tokens_.begin(), tokens_.end(),
                         [](const auto& a, const auto& b) { return a.norm / a.median > b.norm / b.median; });
        if (tokens_.size() > listed_tokens) tokens_.resize(listed_tokens);
        statistics.extreme_tokens = std::move(tokens_);
    }

private:
    CalibrationSettings settings_;
    std::vector<ExtremeToken> tokens_;
};

}  // namespace

std::vector<ExtremeToken> extreme_tokens_of(const WindowStates& window, double factor) {
    const auto norms = window.states[0].norm(2, {2}).to(at::kDouble);                   // [P, T]
    const auto medians = std::get<0>(norms.median(1)).contiguous();                     // [P]
    const auto above = norms.gt(medians.unsqueeze(1) * factor).nonzero().contiguous();  // [found, 2] (point, position), points ascending
    std::map<std::int64_t, ExtremeToken> by_position;
    for (std::int64_t i = 0; i < above.size(0); ++i) {
        const auto point = above[i][0].item<std::int64_t>(), position = above[i][1].item<std::int64_t>();
        const double norm = norms[point][position].item<double>(), median = medians[point].item<double>();
        auto [it, added] = by_position.try_emplace(
            position, ExtremeToken{window.window, position, window.ids[std::size_t(position)], point, point, point, norm, median});
        ExtremeToken& token = it->second;
        token.last_point = point;
        if (norm / median > token.norm / token.median) {
            token.point = point;
            token.norm = norm;
            token.median = median;
        }
    }
    std::vector<ExtremeToken> found;
    for (auto& [position, token] : by_position) found.push_back(token);
    return found;
}

std::vector<ExtremeChannel> extreme_channels_of(const Statistics& statistics, double factor) {
    std::vector<ExtremeChannel> found;
    for (int p = 0; p < statistics.points(); ++p) {
        const auto mean_abs = statistics.mean_abs(0, p);
        const double middle = median(mean_abs);
        for (std::size_t c = 0; c < mean_abs.size() && found.size() < listed_channels; ++c)
            if (mean_abs[c] > factor * middle) found.push_back({p, std::int64_t(c), mean_abs[c], middle});
    }
    return found;
}

extern const ObserverKind observerkind_extremes;
const ObserverKind observerkind_extremes{
    .name = "extremes",
    .help = "tokens and channels with massive activations",
    .make = [](const Statistics&, const CalibrationSettings& settings) -> std::unique_ptr<Observer> {
        return std::make_unique<Extremes>(settings);
    },
};

}  // namespace suture
