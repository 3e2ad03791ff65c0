// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include "core/calibration/internal/extremes.h"

namespace suture {
namespace {

/// Places spread evenly over all tokens, but for an eighth that is a stretch from the beginning without gaps: enough to follow tokens
/// one by one, too few to weigh in medians and means over the sample.
std::set<std::int64_t> spread_places(std::int64_t tokens, std::int64_t wanted) {
    std::set<std::int64_t> places;
    const std::int64_t stretch = std::min(wanted / 8, tokens);
    for (std::int64_t i = 0; i < stretch; ++i) places.insert(i);
    const std::int64_t rest = tokens - stretch, more = std::min(wanted - stretch, rest);
    for (std::int64_t i = 0; i < more; ++i) places.insert(stretch + i * rest / more);
    return places;
}

/// States at all points of a sample of tokens that contains the strongest extreme ones.
class Sample : public Observer {
public:
    Sample(const Statistics& s, const CalibrationSettings& settings)
        : extremes_wanted_(std::size_t(settings.sample / 8)),
          factor_(settings.extreme_token),
          spread_(spread_places(s.tokens(), settings.sample - settings.sample / 8)) {}

    void observe(const WindowStates& window) override {
        const std::int64_t end = window.begin + std::int64_t(window.ids.size());
        for (auto it = spread_.lower_bound(window.begin); it != spread_.end() && *it < end; ++it) keep(window, *it - window.begin);
        for (const ExtremeToken& token : extreme_tokens_of(window, factor_)) {
            const std::int64_t place = window.begin + token.position;
            if (spread_.contains(place)) continue;
            extremes_.insert({token.norm / token.median, place});
            keep(window, token.position);
            if (extremes_.size() > extremes_wanted_) {  // the weakest makes room
                states_.erase(extremes_.begin()->second);
                extremes_.erase(extremes_.begin());
            }
        }
    }

    void finish(Statistics& statistics) override {
        std::vector<at::Tensor> rows;
        for (const auto& [place, state] : states_) {
            statistics.sample_tokens.push_back(place);
            rows.push_back(state);
        }
        if (rows.empty()) return;  // --sample 0
        const auto all = at::stack(rows, 1).contiguous();  // [P, S, C]
        statistics.sample = Array<float>({all.size(0), all.size(1), all.size(2)});
        std::copy_n(all.const_data_ptr<float>(), all.numel(), statistics.sample.data.begin());
    }

private:
    void keep(const WindowStates& window, std::int64_t position) {
        states_[window.begin + position] = window.states[0].select(1, position).clone();  // [P, C]
    }

    std::size_t extremes_wanted_;
    double factor_;
    std::set<std::int64_t> spread_;
    std::set<std::pair<double, std::int64_t>> extremes_;  // (norm over median, place), weakest first
    std::map<std::int64_t, at::Tensor> states_;           // by place
};

}  // namespace

extern const ObserverKind observerkind_sample;
const ObserverKind observerkind_sample{
    .name = "sample",
    .help = "states at all points of a sample of tokens with the extreme ones",
    .make = [](const Statistics& s, const CalibrationSettings& settings) -> std::unique_ptr<Observer> {
        return std::make_unique<Sample>(s, settings);
    },
};

}  // namespace suture
