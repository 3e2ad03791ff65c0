// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/hadamard_orders.h"

#include <bit>

namespace suture {
namespace {

bool power_of_two(std::int64_t n) { return std::has_single_bit(std::uint64_t(n)); }

HadamardFactor sylvester(std::int64_t order) { return {order, std::nullopt}; }

/// One Paley matrix, the smallest possible, times Sylvester's.
std::vector<HadamardFactor> paley_and_sylvester(std::int64_t n) {
    const int twos = std::countr_zero(std::uint64_t(n));
    for (int j = twos - 2; j >= 0; --j) {
        const auto order = n >> j;
        const auto paley = paley_of_order(order);
        if (!paley) continue;
        if (j == 0) return {{order, paley}};
        return {{order, paley}, sylvester(std::int64_t(1) << j)};
    }
    return {};
}

/// The factors of A ⊗ B, with Sylvester's of both gathered at the end.
std::vector<HadamardFactor> kronecker(const std::vector<HadamardFactor>& a, const std::vector<HadamardFactor>& b) {
    std::vector<HadamardFactor> product;
    std::int64_t twos = 1;
    for (const auto* side : {&a, &b}) {
        for (const auto& factor : *side) {
            if (factor.paley) product.push_back(factor);
            else twos *= factor.order;
        }
    }
    if (twos > 1) product.push_back(sylvester(twos));
    return product;
}

}  // namespace

SignMatrix HadamardFactor::signs() const { return paley ? paley_matrix(*paley) : sylvester_matrix(order); }

std::string HadamardFactor::words() const {
    if (!paley) return "Sylvester " + std::to_string(order);
    return std::string("Paley ") + (paley->type == 2 ? "II " : "I ") + std::to_string(order) + " (q = " + std::to_string(paley->q) + ")";
}

std::vector<HadamardFactor> hadamard_factors(std::int64_t n) {
    if (n < 1) return {};
    if (power_of_two(n)) return {sylvester(n)};
    if (n % 4 != 0) return {};
    if (auto factors = paley_and_sylvester(n); !factors.empty()) return factors;
    // Both halves of a product must hold a Paley factor, so each is a multiple of 4 and at least 12.
    for (std::int64_t a = 12; a * a <= n; a += 4) {
        if (n % a != 0 || power_of_two(a)) continue;
        const auto left = hadamard_factors(a);
        if (left.empty()) continue;
        if (const auto right = hadamard_factors(n / a); !right.empty()) return kronecker(left, right);
    }
    return {};
}

std::vector<std::int64_t> hadamard_blocks(std::int64_t n) {
    std::vector<std::int64_t> blocks;
    while (n > 0) {
        auto block = n;
        if (hadamard_factors(n).empty()) {
            const auto step = std::int64_t(std::bit_floor(std::uint64_t(n < 64 ? 1 : n / 64)));
            block -= n % step;
            while (hadamard_factors(block).empty()) block -= step;
        }
        blocks.push_back(block);
        n -= block;
    }
    return blocks;
}

}  // namespace suture
