// SPDX-License-Identifier: GPL-3.0-or-later
// Ridge regression from a Gram matrix.
#pragma once

#include "core/tensor/internal/torch.h"

namespace suture {

/// One eigendecomposition G = V·diag(w)·Vᵀ that serves every λ: trying a dozen of them costs a dozen matrix products.
struct RidgeEigen {
    /// `gram` [C, C] symmetric (only the lower triangle is read); decomposed in float64, about 9·C³ operations.
    /// Error when it is no square matrix or has entries that are not finite.
    explicit RidgeEigen(const at::Tensor& gram);

    /// (G + λ·mean(diag G)·I)⁻¹ · rhs for rhs [C, D]; [C, D] float64. λ is relative and ≥ 0. With λ = 0, or a λ too small to
    /// matter, directions in which G is zero to working precision get zero: the least-squares solution of smallest norm.
    /// Error when λ is negative or rhs has another number of rows.
    at::Tensor solve(const at::Tensor& rhs, double lambda_relative) const;

    at::Tensor values;         // [C] float64, ascending: the eigenvalues of G
    at::Tensor vectors;        // [C, C] float64, eigenvectors in columns
    double mean_diagonal = 0;  // mean(diag G) = trace / C
};

}  // namespace suture
