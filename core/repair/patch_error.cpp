// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/patch_error.h"

#include <limits>
#include <numeric>

namespace suture {
namespace {

at::Tensor sample_at(const Statistics& statistics, int point) {
    const auto row = statistics.sample.row(point);
    return at::from_blob(const_cast<float*>(row.data()), {statistics.sample.size(1), statistics.sample.size(2)}, at::kFloat);  // [S, C]
}

at::Tensor as_float64(const Array<double>& values) {
    return at::from_blob(const_cast<double*>(values.data.data()), {std::int64_t(values.data.size())}, at::kDouble);
}

/// ‖X·diag(d) − Y‖² in the basis in which the map scales: an orthonormal change of basis keeps norms.
double scaled_error(const StreamMap& map, const SeamStatistics& seam) {
    const int basis = map.hadamard ? 1 : 0;
    const auto d = as_float64(map.scale);  // [1] or [C]
    return (d.square() * seam.square_given[basis] - 2 * d * seam.product[basis] + seam.square_expected[basis]).sum().item<double>();
}

/// ‖X·M − (Y − X)‖² = tr(MᵀGM) − 2·tr(MᵀXᵀ(Y−X)) + ‖Y−X‖², M = P − I.
double dense_error(const StreamMap& map, const SeamStatistics& seam) {
    if (!seam.gram.defined()) return std::numeric_limits<double>::quiet_NaN();
    const std::int64_t c = seam.hidden();
    const auto p = at::from_blob(const_cast<float*>(map.matrix.data.data()), {c, c}, at::kFloat).to(at::kDouble);
    const auto m = p - at::eye(c, at::kDouble);
    return ((at::matmul(seam.gram, m) - 2 * seam.cross) * m).sum().item<double>() + seam.gap();
}

}  // namespace

double frobenius_error(const StreamMap& map, const SeamStatistics& seam) {
    const double error = map.matrix.empty() ? scaled_error(map, seam) : dense_error(map, seam);
    return std::sqrt(std::max(error, 0.0) / seam.gap());
}

double median_error(const StreamMap& map, const Statistics& statistics, Seam seam) {
    if (statistics.sample.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto given = sample_at(statistics, seam.start), expected = sample_at(statistics, seam.end);
    const auto before = (given - expected).norm(2, {1}), after = (apply_map(map, given) - expected).norm(2, {1});  // [S]
    return (after / before.clamp_min(1e-30)).median().item<double>();
}

void describe_matrix(Patch& patch, std::int64_t hidden) {
    const StreamMap& map = *patch.map;
    Array<float> unit({1, hidden});
    unit.at(0, 0) = 1;
    const auto row =
        map.matrix.empty() ? apply_to_rows(map, unit).data : std::vector<float>(map.matrix.data.begin(), map.matrix.data.begin() + hidden);
    patch.row0.assign(row.begin(), row.begin() + std::min<std::int64_t>(8, hidden));
    // P is an orthonormal change of basis of diag(scale), so both have the same trace and Frobenius norm.
    const double times = map.scale.data.size() == 1 ? double(hidden) : 1;
    patch.trace = times * std::accumulate(map.scale.data.begin(), map.scale.data.end(), 0.0);
    double square = times * std::inner_product(map.scale.data.begin(), map.scale.data.end(), map.scale.data.begin(), 0.0);
    for (std::int64_t i = 0; i < hidden && !map.matrix.empty(); ++i) patch.trace += double(map.matrix.at(i, i));
    for (const float value : map.matrix.data) square += double(value) * double(value);
    patch.frobenius = std::sqrt(square);
}

}  // namespace suture
