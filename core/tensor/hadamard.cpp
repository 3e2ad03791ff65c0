// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/hadamard.h"

#include <bit>
#include <mutex>

#include "core/base/error.h"
#include "core/tensor/internal/hadamard_orders.h"

namespace suture {
namespace {

at::Tensor table_of(const SignMatrix& signs) {
    const auto n = signs.order;
    return at::tensor(signs.entries, at::kChar).view({n, n}).to(at::kDouble);  // [n, n] float64
}

/// Sylvester's matrix of order 2^m as the Kronecker product of nearly equal smaller ones, of order 128 at most.
std::vector<std::int64_t> sylvester_pieces(std::int64_t order) {
    const int twos = std::countr_zero(std::uint64_t(order));
    const int count = std::max(1, (twos + 4) / 6);
    std::vector<std::int64_t> pieces;
    for (int i = 0; i < count; ++i) pieces.push_back(std::int64_t(1) << (twos * (i + 1) / count - twos * i / count));
    return pieces;
}

/// The Kronecker factors to multiply with, ±1 in float64. Small matrix products replace the butterflies of the fast transform: they
/// keep the vector units busy and pass over memory two or three times instead of log n times. Measured for float32 on two
/// Zen 4 cores against one dense product: 512 × 4096 as 64 · 64 takes 4.0 ms, dense 102 ms (1/25); 512 × 576 as 36 · 16 takes
/// 0.27 ms, dense 1.8 ms (1/7); 512 × 256 as 16 · 16 a third of dense. At 128 and below next to nothing is left to gain.
std::vector<at::Tensor> tables_of(std::int64_t order) {
    std::vector<at::Tensor> tables;
    const auto append = [&tables](const at::Tensor& table) {
        const auto size = table.size(0);
        // A last axis below 8 leaves the product of the axis before it with next to no columns: up to 8 times slower than dense.
        if (!tables.empty() && (size < 8 || tables.back().size(0) * size <= 64)) tables.back() = at::kron(tables.back(), table);
        else tables.push_back(table);
    };
    for (const auto& factor : hadamard_factors(order)) {
        if (factor.paley) append(table_of(factor.signs()));
        else
            for (const auto piece : sylvester_pieces(factor.order)) append(table_of(sylvester_matrix(piece)));
    }
    return tables;
}

}  // namespace

const Hadamard& Hadamard::of_size(std::int64_t n) {
    if (n < 1)
        throw Error("A Hadamard matrix of size " + std::to_string(n) +
                        " was asked for, but a size of at least 1 was expected; pass the hidden size.",
                    Error::Kind::Internal);
    static std::mutex mutex;
    static std::map<std::int64_t, std::unique_ptr<Hadamard>> known;
    const std::lock_guard lock(mutex);
    auto& entry = known[n];
    if (!entry) entry.reset(new Hadamard(n));
    return *entry;
}

Hadamard::Hadamard(std::int64_t n) : size_(n) {
    const c10::InferenceMode ordinary(false);  // the tables outlive the caller's mode and may meet autograd later
    for (const auto order : hadamard_blocks(n)) {
        Block block;
        block.size = order;
        for (const auto& table : tables_of(order)) block.factors.push_back({table.to(at::kFloat), table});
        // One rounding in all: until the last factor, sums of ±x are scaled by nothing.
        auto& last = block.factors.back();
        last.float64 = last.float64 / std::sqrt(double(order));
        last.float32 = last.float64.to(at::kFloat);
        blocks_.push_back(std::move(block));
    }
}

std::string Hadamard::description() const {
    std::string words;
    if (block_diagonal()) {
        for (const auto& block : blocks_) words += (words.empty() ? "" : " + ") + std::to_string(block.size);
        return "block-diagonal: " + words;
    }
    const auto factors = hadamard_factors(size_);
    if (!factors.front().paley) return "Sylvester 2^" + std::to_string(std::countr_zero(std::uint64_t(size_)));
    for (const auto& factor : factors) words += (words.empty() ? "" : " × ") + factor.words();
    return words;
}

at::Tensor Hadamard::Block::multiply(const at::Tensor& x, bool transposed) const {
    auto y = x;  // [..., size]
    auto inner = size;
    for (const auto& factor : factors) {
        const auto& table = factor.as(x.scalar_type());  // [K, K]
        const auto order = table.size(0);
        inner /= order;
        if (inner == 1) {
            y = at::matmul(y.reshape({-1, order}), transposed ? table.t() : table);
        } else {
            y = y.reshape({-1, order, inner});  // [rows, K, inner]
            y = at::bmm((transposed ? table : table.t()).expand({y.size(0), order, order}), y);
        }
    }
    return y.reshape(x.sizes());
}

at::Tensor Hadamard::multiply(const at::Tensor& x, bool transposed) const {
    if (x.scalar_type() != at::kFloat && x.scalar_type() != at::kDouble)
        throw Error(std::string("The Hadamard transform got ") + c10::toString(x.scalar_type()) +
                        ", but float32 or float64 was expected; convert the states first.",
                    Error::Kind::Internal);
    if (x.dim() == 0 || x.size(-1) != size_)
        throw Error("The Hadamard transform of size " + std::to_string(size_) + " got " +
                        (x.dim() == 0 ? "a single number" : "vectors of length " + std::to_string(x.size(-1))) + "; pass states [..., " +
                        std::to_string(size_) + "] or ask for the matrix of their size.",
                    Error::Kind::Internal);
    if (!block_diagonal()) return blocks_.front().multiply(x, transposed);
    std::vector<at::Tensor> parts;
    std::int64_t begin = 0;
    for (const auto& block : blocks_) {
        parts.push_back(block.multiply(x.narrow(-1, begin, block.size), transposed));
        begin += block.size;
    }
    return at::cat(parts, -1);
}

at::Tensor Hadamard::apply(const at::Tensor& x) const { return multiply(x, false); }

at::Tensor Hadamard::apply_transposed(const at::Tensor& x) const { return multiply(x, true); }

at::Tensor Hadamard::matrix(at::ScalarType type) const {
    std::vector<at::Tensor> dense;
    for (const auto& block : blocks_) {
        auto product = at::ones({1, 1}, type == at::kDouble ? at::kDouble : at::kFloat);
        for (const auto& factor : block.factors) product = at::kron(product, factor.as(product.scalar_type()));
        dense.push_back(product.to(type));
    }
    return dense.size() == 1 ? dense.front() : at::block_diag(dense);
}

}  // namespace suture
