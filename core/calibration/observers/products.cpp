// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include "core/calibration/internal/observer.h"

namespace suture {
namespace {

constexpr std::int64_t channels_at_once = 256;  // bounds the float64 copy of a window's states

/// Σ x_s·x_e per channel for every pair of points, and from each window's sums the cosine along the token axis.
class Products : public Observer {
public:
    explicit Products(const Statistics& s)
        : points_(s.points()),
          hidden_(s.hidden),
          upper_(at::triu_indices(points_, points_, 1)),
          square_({2, points_, hidden_}),
          product_({2, points_ * (points_ - 1) / 2, hidden_}),
          token_axis_(at::zeros({points_ * (points_ - 1) / 2}, at::kDouble)) {}

    void observe(const WindowStates& window) override {
        for (int basis = 0; basis < 2; ++basis) {
            const auto x = window.counted_states(basis);  // [P, n, C]
            for (std::int64_t c = 0; c < hidden_; c += channels_at_once)
                add(basis, x.narrow(2, c, std::min(channels_at_once, hidden_ - c)), c);
        }
        ++windows_;
    }

    void finish(Statistics& statistics) override {
        statistics.square = std::move(square_);
        statistics.product = std::move(product_);
        statistics.cosine_token_axis = Matrix({points_, points_}, std::numeric_limits<double>::quiet_NaN());
        const auto mean = (token_axis_ / (windows_ * double(hidden_))).contiguous();  // [pairs]
        for (int s = 0; s < points_; ++s)
            for (int e = s + 1; e < points_; ++e)
                statistics.cosine_token_axis.at(s, e) = mean.const_data_ptr<double>()[statistics.pair_index(s, e)];
    }

private:
    void add(int basis, const at::Tensor& x, std::int64_t first_channel) {
        const auto by_channel = x.permute({2, 0, 1}).to(at::kDouble);                         // [c, P, n]
        const auto gram = at::bmm(by_channel, by_channel.transpose(1, 2));                    // [c, P, P]
        const auto square = gram.diagonal(0, 1, 2).t().contiguous();                          // [P, c]
        const auto pairs = gram.flatten(1).index_select(1, upper_[0] * points_ + upper_[1]);  // [c, pairs]
        if (basis == 0) {
            const auto norms = square.sqrt().clamp_min(1e-8);  // [P, c]
            token_axis_ += (pairs.t() / (norms.index_select(0, upper_[0]) * norms.index_select(0, upper_[1]))).sum(1);
        }
        add_rows(square, square_, basis, first_channel);
        add_rows(pairs.t().contiguous(), product_, basis, first_channel);
    }

    static void add_rows(const at::Tensor& values, Array<double>& sums, int basis, std::int64_t first_channel) {
        const double* source = values.const_data_ptr<double>();  // [rows, c]
        for (std::int64_t r = 0; r < values.size(0); ++r) {
            double* target = sums.row(basis, r).data() + first_channel;
            for (std::int64_t c = 0; c < values.size(1); ++c) target[c] += *source++;
        }
    }

    std::int64_t points_, hidden_;
    at::Tensor upper_;  // [2, pairs] int64: s and e of every pair, in pair_index order
    Array<double> square_, product_;
    at::Tensor token_axis_;  // [pairs] float64: sums over channels and windows
    double windows_ = 0;
};

}  // namespace

extern const ObserverKind observerkind_products;
const ObserverKind observerkind_products{
    .name = "products",
    .help = "per channel Σx_s², Σx_s·x_e and Σx_e² of every pair of points, raw and in the Hadamard basis",
    .make = [](const Statistics& s, const CalibrationSettings&) -> std::unique_ptr<Observer> { return std::make_unique<Products>(s); },
};

}  // namespace suture
