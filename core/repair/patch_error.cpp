// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/patch_error.h"

#include "core/tensor/internal/arrays.h"

#include <limits>
#include <numeric>

namespace suture {
namespace {

at::Tensor sample_at(const Statistics& statistics, int point) {
    const auto row = statistics.sample.row(point);
    return at::from_blob(const_cast<float*>(row.data()), {statistics.sample.size(1), statistics.sample.size(2)}, at::kFloat);  // [S, C]
}

/// ‖X·diag(d) − Y‖² in the basis in which the map scales: an orthonormal change of basis keeps norms.
double scaled_error(const StreamMap& map, const SeamStatistics& seam) {
    const int basis = map.hadamard ? 1 : 0;
    const auto d = view_of(map.scale);  // [1] or [C]
    return (d.square() * seam.square_given[basis] - 2 * d * seam.product[basis] + seam.square_expected[basis]).sum().item<double>();
}

/// What the map adds to the stream per predictor row, [C, C] float64: P − I, L·R, or M itself.
at::Tensor increment_of(const StreamMap& map, std::int64_t c) {
    if (!map.left.empty()) return at::matmul(view_of(map.left).to(at::kDouble), view_of(map.right).to(at::kDouble));
    const auto matrix = view_of(map.matrix).to(at::kDouble);
    return map.norm_eps > 0 ? matrix : matrix - at::eye(c, at::kDouble);
}

/// ‖F·M + b − (Y − X)‖² from the sums of least squares.
double dense_error(const StreamMap& map, const SeamStatistics& seam) {
    if (!seam.gram.defined() || (map.norm_eps > 0) != (seam.norm_eps > 0)) return std::numeric_limits<double>::quiet_NaN();
    const auto m = increment_of(map, seam.hidden());
    double error = ((at::matmul(seam.gram, m) - 2 * seam.cross) * m).sum().item<double>() + seam.increment_square;
    if (!map.bias.empty()) {
        const auto b = view_of(map.bias).to(at::kDouble);
        error += (b * (seam.weight * b + 2 * (at::matmul(seam.predictor_sum, m) - seam.increment_sum))).sum().item<double>();
    }
    return error;
}

}  // namespace

double frobenius_error(const StreamMap& map, const SeamStatistics& seam) {
    if (!map.scale.empty()) return std::sqrt(std::max(scaled_error(map, seam), 0.0) / seam.gap());
    return std::sqrt(std::max(dense_error(map, seam), 0.0) / seam.increment_square);
}

double median_error(const StreamMap& map, const Statistics& statistics, Seam seam) {
    if (statistics.sample.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto given = sample_at(statistics, seam.start), expected = sample_at(statistics, seam.end);
    const auto before = (given - expected).norm(2, {1}), after = (apply_map(map, given) - expected).norm(2, {1});  // [S]
    return (after / before.clamp_min(1e-30)).median().item<double>();
}

void describe_matrix(Patch& patch, std::int64_t hidden) {
    const StreamMap& map = *patch.map;
    if (map.scale.empty()) {
        auto p = increment_of(map, hidden);
        if (map.norm_eps <= 0) p += at::eye(hidden, at::kDouble);
        const auto row = p[0].contiguous();
        patch.row0.assign(row.const_data_ptr<double>(), row.const_data_ptr<double>() + std::min<std::int64_t>(8, hidden));
        patch.trace = p.trace().item<double>();
        patch.frobenius = p.norm().item<double>();
        return;
    }
    Array<float> unit({1, hidden});
    unit.at(0, 0) = 1;
    const auto row = apply_to_rows(map, unit).data;
    patch.row0.assign(row.begin(), row.begin() + std::min<std::int64_t>(8, hidden));
    // P is an orthonormal change of basis of diag(scale), so both have the same trace and Frobenius norm.
    const double times = map.scale.data.size() == 1 ? double(hidden) : 1;
    patch.trace = times * std::accumulate(map.scale.data.begin(), map.scale.data.end(), 0.0);
    patch.frobenius = std::sqrt(times * std::inner_product(map.scale.data.begin(), map.scale.data.end(), map.scale.data.begin(), 0.0));
}

}  // namespace suture
