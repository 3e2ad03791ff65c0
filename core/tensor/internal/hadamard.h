// SPDX-License-Identifier: GPL-3.0-or-later
// Orthonormal Hadamard matrices of every size, and products with them that never form the matrix.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor/internal/torch.h"

namespace suture {

/// H with H·Hᵀ = I and |H_ij| = 1/√n, the basis in which LinearPatch scales channels. Kronecker product of at most a few Paley
/// matrices with a Sylvester matrix, in this order; powers of two are in Sylvester's natural order, so that H is symmetric
/// and (H·diag(d)·Hᵀ)_ij depends on i XOR j only. Sizes for which that gives no matrix (see hadamard_orders.h) get a
/// block-diagonal of smaller ones: still orthonormal, but each block spreads its own channels only.
class Hadamard {
public:
    /// The matrix of size n ≥ 1, built at the first call and kept for the life of the process. Thread-safe.
    /// Error when n < 1.
    static const Hadamard& of_size(std::int64_t n);

    std::int64_t size() const { return size_; }
    bool block_diagonal() const { return blocks_.size() > 1; }

    /// For people: "Sylvester 2^7", "Paley II 36 (q = 17) × Sylvester 16", "block-diagonal: 13568 + 128".
    std::string description() const;

    /// x·H for x [..., n], float32 or float64; a new tensor of the same shape and type. Differentiable.
    /// Error for another type or last dimension.
    at::Tensor apply(const at::Tensor& x) const;

    /// x·Hᵀ, the inverse of apply(); same rules.
    at::Tensor apply_transposed(const at::Tensor& x) const;

    /// H as a dense matrix [n, n] of the given floating type: n² · (bytes of the type) of memory.
    at::Tensor matrix(at::ScalarType type) const;

private:
    explicit Hadamard(std::int64_t n);

    /// One Kronecker factor: [K, K], entries ±1, but in the last factor of a block ±1/√(block size).
    struct Factor {
        at::Tensor float32;
        at::Tensor float64;
        const at::Tensor& as(at::ScalarType type) const { return type == at::kDouble ? float64 : float32; }
    };
    struct Block {
        std::int64_t size = 0;
        std::vector<Factor> factors;
        at::Tensor multiply(const at::Tensor& x, bool transposed) const;
    };

    at::Tensor multiply(const at::Tensor& x, bool transposed) const;

    std::int64_t size_ = 0;
    std::vector<Block> blocks_;
};

}  // namespace suture
