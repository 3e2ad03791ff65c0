// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"
#include "core/tensor/internal/solve.h"

namespace suture {
namespace {

/// P = I + M, M = (XᵀX + λ·mean(diag XᵀX)·I)⁻¹ Xᵀ(Y − X): shrinks towards no patch, not towards zero.
StreamMap fit_ridge(const SeamStatistics& seam, const RepairSettings& settings) {
    const auto m = RidgeEigen(seam.gram).solve(seam.cross, settings.ridge);                // [C, C] float64
    const auto p = (m + at::eye(seam.hidden(), at::kDouble)).to(at::kFloat).contiguous();  // [C, C]
    StreamMap map{.kind = "ridge", .matrix = Array<float>({seam.hidden(), seam.hidden()})};
    std::copy_n(p.const_data_ptr<float>(), p.numel(), map.matrix.data.begin());
    return map;
}

std::string ridge_key(const RepairSettings& settings) {
    char text[32];
    std::snprintf(text, sizeof text, "ridge_%g", settings.ridge);
    return text;
}

}  // namespace

extern const RepairKind repairkind_ridge;
const RepairKind repairkind_ridge{
    .order = 4,
    .info = {.name = "ridge",
             .label = "Least squares",
             .help = "P = I + M fitted by ridge regression of the removed layers' increment on the stream (λ by --ridge)."},
    .needs_gram = true,
    .sequential_by_default = true,
    .json_key = ridge_key,
    .fit = fit_ridge,
};

}  // namespace suture
