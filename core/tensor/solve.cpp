// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/solve.h"

#include <limits>

#include "core/base/error.h"

namespace suture {
namespace {

std::string shape_words(const at::Tensor& tensor) {
    std::string words = "[";
    for (std::int64_t i = 0; i < tensor.dim(); ++i) words += (i > 0 ? ", " : "") + std::to_string(tensor.size(i));
    return words + "]";
}

}  // namespace

RidgeEigen::RidgeEigen(const at::Tensor& gram) {
    if (gram.dim() != 2 || gram.size(0) != gram.size(1) || gram.size(0) == 0)
        throw Error("The Gram matrix has shape " + shape_words(gram) +
                    ", but a square matrix [C, C] was expected; pass XᵀX of one stream.");
    const auto exact = gram.to(at::kDouble);  // [C, C] float64
    if (!at::isfinite(exact).all().item<bool>())
        throw Error("The Gram matrix holds infinities or NaN where finite sums were expected; calibrate again in float32.");
    std::tie(values, vectors) = at::linalg_eigh(exact);
    mean_diagonal = exact.diagonal().mean().item<double>();
}

at::Tensor RidgeEigen::solve(const at::Tensor& rhs, double lambda_relative) const {
    const auto channels = values.size(0);
    if (!(lambda_relative >= 0) || !std::isfinite(lambda_relative))
        throw Error("The ridge λ is " + std::to_string(lambda_relative) + ", but a number ≥ 0 was expected; 1e-3 is a usual choice.");
    if (rhs.dim() != 2 || rhs.size(0) != channels)
        throw Error("The right-hand side has shape " + shape_words(rhs) + ", but [" + std::to_string(channels) +
                    ", D] was expected; pass XᵀY of the same X as the Gram matrix.");
    // An eigenvalue is known only up to C·ε·(largest): what lies below is rounding, whose inverse would be noise.
    const auto noise = values.abs().max() * (double(channels) * std::numeric_limits<double>::epsilon());
    const auto shifted = values + lambda_relative * mean_diagonal;                                   // [C] float64
    const auto inverse = at::where(shifted > noise, shifted.reciprocal(), at::zeros_like(shifted));  // [C] float64
    const auto coefficients = at::matmul(vectors.t(), rhs.to(at::kDouble));                          // [C, D] float64
    return at::matmul(vectors, inverse.unsqueeze(1) * coefficients);
}

}  // namespace suture
