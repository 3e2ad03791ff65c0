// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/internal/observer.h"

namespace suture {
namespace {

void copy_out(const at::Tensor& values, std::span<double> target) {
    const auto flat = values.to(at::kDouble).contiguous();
    std::copy_n(flat.const_data_ptr<double>(), target.size(), target.begin());
}

void copy_out(const at::Tensor& values, std::span<float> target) {
    const auto flat = values.contiguous();
    std::copy_n(flat.const_data_ptr<float>(), target.size(), target.begin());
}

/// Σ|x| per channel and window, |x| per token, peaks; raw and in the Hadamard basis.
class Magnitudes : public Observer {
public:
    explicit Magnitudes(const Statistics& s)
        : channel_abs_({2, s.points(), s.windows(), s.hidden}),
          window_tokens_({s.windows()}),
          peak_({2, s.points()}),
          token_l2_({s.points(), s.tokens()}),
          token_abs_({2, s.points(), s.tokens()}) {}

    void observe(const WindowStates& window) override {
        const std::int64_t points = token_l2_.size(0), tokens = std::int64_t(window.ids.size());
        window_tokens_.at(window.window) = double(window.counted.size(0));
        const auto l2 = window.states[0].norm(2, {2});  // [P, T]
        for (std::int64_t p = 0; p < points; ++p) copy_out(l2[p], token_l2_.row(p).subspan(std::size_t(window.begin), std::size_t(tokens)));
        for (int basis = 0; basis < 2; ++basis) {
            const auto token_abs = window.states[basis].abs().mean({2});  // [P, T]
            const auto counted = window.counted_states(basis).abs();      // [P, n, C]
            const auto channel = counted.sum({1}, false, at::kDouble);    // [P, C]
            const auto peak = counted.amax({1, 2});                       // [P]
            for (std::int64_t p = 0; p < points; ++p) {
                copy_out(token_abs[p], token_abs_.row(basis, p).subspan(std::size_t(window.begin), std::size_t(tokens)));
                copy_out(channel[p], channel_abs_.row(basis, p, window.window));
                peak_.at(basis, p) = std::max(peak_.at(basis, p), peak[p].item<double>());
            }
        }
    }

    void finish(Statistics& statistics) override {
        statistics.channel_abs = std::move(channel_abs_);
        statistics.window_tokens = std::move(window_tokens_);
        statistics.peak = std::move(peak_);
        statistics.token_l2 = std::move(token_l2_);
        statistics.token_abs = std::move(token_abs_);
    }

private:
    Array<double> channel_abs_, window_tokens_, peak_;
    Array<float> token_l2_, token_abs_;
};

}  // namespace

extern const ObserverKind observerkind_magnitudes;
const ObserverKind observerkind_magnitudes{
    .name = "magnitudes",
    .help = "mean |x| per channel and per token at all points, raw and in the Hadamard basis",
    .make = [](const Statistics& s, const CalibrationSettings&) -> std::unique_ptr<Observer> { return std::make_unique<Magnitudes>(s); },
};

}  // namespace suture
