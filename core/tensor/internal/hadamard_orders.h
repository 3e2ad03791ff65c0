// SPDX-License-Identifier: GPL-3.0-or-later
// Which Hadamard matrices exist for us, and of what they are made. Exact integers, no torch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor/internal/paley.h"

namespace suture {

/// One factor of a Kronecker product.
struct HadamardFactor {
    std::int64_t order = 1;
    std::optional<Paley> paley;  // empty: Sylvester's matrix, order a power of two

    SignMatrix signs() const;
    /// "Paley II 36 (q = 17)" or "Sylvester 16".
    std::string words() const;
};

/// The factors, from left to right, of a Hadamard matrix of order n; Sylvester's comes last. The Paley order is the smallest that
/// works, since its product is the dense part of the work; only where a single one does not do, two or more are used. Empty
/// when Paley I and II, Sylvester and Kronecker products give no such matrix: n > 2 not divisible by 4, and the orders
/// 92, 116, 156, 172, 184, … which need other constructions.
std::vector<HadamardFactor> hadamard_factors(std::int64_t n);

/// n ≥ 1 as a sum of orders for which hadamard_factors() knows a matrix, large ones first: {n} itself where possible. Otherwise
/// greedily the largest such order that is a multiple of 2^m, the largest power of two not above n/64: from n = 256 on the first
/// block then covers nine tenths of n or more, and Paley factors stay small. The last blocks may be as small as 2 or 1.
std::vector<std::int64_t> hadamard_blocks(std::int64_t n);

}  // namespace suture
