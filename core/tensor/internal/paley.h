// SPDX-License-Identifier: GPL-3.0-or-later
// Hadamard matrices as exact signs: Paley's two constructions and Sylvester's.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace suture {

/// A square matrix of +1 and -1.
struct SignMatrix {
    explicit SignMatrix(std::int64_t n) : order(n), entries(std::size_t(n * n), std::int8_t(1)) {}

    std::int8_t& at(std::int64_t row, std::int64_t column) { return entries[std::size_t(row * order + column)]; }
    std::int8_t at(std::int64_t row, std::int64_t column) const { return entries[std::size_t(row * order + column)]; }

    std::int64_t order;
    std::vector<std::int8_t> entries;  // row by row
};

/// Paley's construction of type I (order q + 1, q ≡ 3 mod 4) or type II (order 2(q + 1), q ≡ 1 mod 4, symmetric), q a prime power.
struct Paley {
    int type = 1;
    std::int64_t q = 3;
};

/// The construction that gives order n, type II when both do; empty when neither does.
std::optional<Paley> paley_of_order(std::int64_t n);

/// The matrix of that construction. [R. E. A. C. Paley, On orthogonal matrices, J. Math. Phys. 12 (1933), 311–320]
SignMatrix paley_matrix(const Paley& paley);

/// Sylvester's matrix in natural order: entry (i, j) is (-1)^popcount(i AND j). `order` is a power of two.
SignMatrix sylvester_matrix(std::int64_t order);

}  // namespace suture
