// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>
#include <numbers>

#include "core/calibration/internal/observer.h"

namespace suture {
namespace {

/// [P, P] with NaN on and below the diagonal.
Matrix upper_triangle(const at::Tensor& values) {
    const std::int64_t points = values.size(0);
    Matrix matrix({points, points}, std::numeric_limits<double>::quiet_NaN());
    const auto flat = values.contiguous();
    const double* value = flat.const_data_ptr<double>();
    for (std::int64_t i = 0; i < points; ++i)
        for (std::int64_t j = i + 1; j < points; ++j) matrix.at(i, j) = value[i * points + j];
    return matrix;
}

/// As a fraction of a half turn.
at::Tensor half_turns(const at::Tensor& cosine) { return at::acos(cosine.clamp(-1, 1)) / std::numbers::pi; }

/// Cosine of every pair of points along the hidden axis, per token.
class Similarity : public Observer {
public:
    explicit Similarity(std::int64_t points)
        : cosine_(at::zeros({points, points}, at::kDouble)), angle_(cosine_.clone()), last_(cosine_.clone()) {}

    void observe(const WindowStates& window) override {
        const auto x = window.counted_states(0).transpose(0, 1);                  // [n, P, C]
        const auto unit = x / x.norm(2, {2}, true).clamp_min(1e-8);               // [n, P, C]
        const auto cosine = at::bmm(unit, unit.transpose(1, 2)).to(at::kDouble);  // [n, P, P]
        cosine_ += cosine.sum(0);
        angle_ += half_turns(cosine).sum(0);
        last_ += half_turns(cosine[cosine.size(0) - 1]);
        tokens_ += double(cosine.size(0));
        ++windows_;
    }

    void finish(Statistics& statistics) override {
        statistics.cosine_token = upper_triangle(cosine_ / tokens_);
        statistics.angular_all = upper_triangle(angle_ / tokens_);
        statistics.angular_last = upper_triangle(last_ / windows_);
    }

private:
    at::Tensor cosine_, angle_, last_;  // [P, P] float64 sums
    double tokens_ = 0, windows_ = 0;
};

}  // namespace

extern const ObserverKind observerkind_similarity;
const ObserverKind observerkind_similarity{
    .name = "similarity",
    .help = "cosine and angle of every pair of points, per token",
    .make = [](const Statistics& s, const CalibrationSettings&) -> std::unique_ptr<Observer> {
        return std::make_unique<Similarity>(s.points());
    },
};

}  // namespace suture
