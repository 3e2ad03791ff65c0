// SPDX-License-Identifier: GPL-3.0-or-later
// Least squares of the removed layers' increment.
#pragma once

#include "core/repair/internal/seam_statistics.h"
#include "core/tensor/internal/solve.h"

namespace suture {

struct Increment {
    at::Tensor m;     // [C, C] float64: Y − X ≈ F·M + b
    at::Tensor bias;  // [C], undefined when not asked for
};

/// M = (FᵀF + λ·mean(diag)·I)⁻¹ Fᵀ(Y − X), centred when there is a bias: shrinks towards no patch. One eigendecomposition for every λ.
class IncrementFit {
public:
    IncrementFit(const SeamStatistics& seam, bool bias);
    Increment at(double ridge) const;

private:
    at::Tensor mean_f_, mean_r_, cross_;
    RidgeEigen eigen_;
};

}  // namespace suture
