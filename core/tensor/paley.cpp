// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/paley.h"

#include <bit>

#include "core/tensor/internal/galois.h"

namespace suture {
namespace {

/// Q [q, q], Q_ij = χ(a_i - a_j): skew for q ≡ 3 mod 4, symmetric for q ≡ 1 mod 4, zero diagonal.
std::vector<std::int8_t> jacobsthal(const GaloisField& field) {
    const auto q = field.order();
    std::vector<std::int8_t> entries;
    entries.reserve(std::size_t(q * q));
    for (std::int64_t i = 0; i < q; ++i)
        for (std::int64_t j = 0; j < q; ++j) entries.push_back(std::int8_t(field.character(field.difference(i, j))));
    return entries;
}

/// H = I + S with S = [[0, 1ᵀ], [-1, Q]].
SignMatrix paley_one(const GaloisField& field) {
    const auto q = field.order();
    const auto character = jacobsthal(field);
    SignMatrix matrix(q + 1);  // row 0 is all ones
    for (std::int64_t i = 0; i < q; ++i) {
        matrix.at(i + 1, 0) = -1;
        for (std::int64_t j = 0; j < q; ++j) matrix.at(i + 1, j + 1) = i == j ? std::int8_t(1) : character[std::size_t(i * q + j)];
    }
    return matrix;
}

/// H = C ⊗ [[1, 1], [1, -1]] + I ⊗ [[1, -1], [-1, -1]] with C = [[0, 1ᵀ], [1, Q]].
SignMatrix paley_two(const GaloisField& field) {
    const auto q = field.order();
    const auto character = jacobsthal(field);
    SignMatrix matrix(2 * (q + 1));
    for (std::int64_t i = 0; i <= q; ++i) {
        for (std::int64_t j = 0; j <= q; ++j) {
            const bool border = i == 0 || j == 0;
            const std::int8_t c = border ? std::int8_t(1) : character[std::size_t((i - 1) * q + j - 1)];
            const std::int8_t one = 1;
            matrix.at(2 * i, 2 * j) = i == j ? one : c;
            matrix.at(2 * i, 2 * j + 1) = matrix.at(2 * i + 1, 2 * j) = std::int8_t(i == j ? -one : c);
            matrix.at(2 * i + 1, 2 * j + 1) = std::int8_t(i == j ? -one : -c);
        }
    }
    return matrix;
}

}  // namespace

std::optional<Paley> paley_of_order(std::int64_t n) {
    if (n < 4 || n % 4 != 0) return std::nullopt;
    if (const auto q = n / 2 - 1; q % 4 == 1 && prime_power(q)) return Paley{2, q};
    if (const auto q = n - 1; prime_power(q)) return Paley{1, q};
    return std::nullopt;
}

SignMatrix paley_matrix(const Paley& paley) {
    const GaloisField field(*prime_power(paley.q));
    return paley.type == 2 ? paley_two(field) : paley_one(field);
}

SignMatrix sylvester_matrix(std::int64_t order) {
    SignMatrix matrix(order);
    for (std::int64_t i = 0; i < order; ++i)
        for (std::int64_t j = 0; j < order; ++j)
            if (std::popcount(std::uint64_t(i & j)) % 2 == 1) matrix.at(i, j) = -1;
    return matrix;
}

}  // namespace suture
