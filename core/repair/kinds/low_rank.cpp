// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/repair/internal/increment_fit.h"
#include "core/repair/internal/kind.h"

namespace suture {
namespace {

/// Reduced-rank regression: of all M of rank r, the one whose predictions F·M are nearest to those of the full ridge solution.
/// With V the first r eigenvectors of MᵀFᵀF·M it is M·V·Vᵀ.
std::vector<StreamMap> fit_low_rank(const SeamStatistics& seam, const RepairSettings& settings, std::span<const double> ridges) {
    if (settings.rank < 1) throw usage_error("--rank " + std::to_string(settings.rank) + ": a rank of at least 1 is needed");
    const std::int64_t c = seam.hidden(), rank = std::min(settings.rank, c);
    const IncrementFit fit(seam, settings.bias);
    std::vector<StreamMap> maps;
    for (const double ridge : ridges) {
        const Increment increment = fit.at(ridge);
        const auto predicted = at::matmul(increment.m.t(), at::matmul(seam.gram, increment.m));  // [C, C]
        const auto v = std::get<1>(at::linalg_eigh(predicted)).narrow(1, c - rank, rank);        // [C, r], largest last
        StreamMap map{.kind = "low-rank", .left = floats_of(at::matmul(increment.m, v)), .right = floats_of(v.t())};
        if (increment.bias.defined()) map.bias = floats_of(increment.bias);
        maps.push_back(std::move(map));
    }
    return maps;
}

}  // namespace

extern const RepairKind repairkind_low_rank;
const RepairKind repairkind_low_rank{
    .order = 6,
    .info = {.name = "low-rank",
             .label = "Least squares, low rank",
             .help = "P = I + L·R in two factors of rank --rank: the part of least squares that moves the stream most.",
             .ridge = true},
    .predictor = Predictor::Stream,
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return "low-rank_" + std::to_string(settings.rank); },
    .fit = fit_low_rank,
};

}  // namespace suture
