// SPDX-License-Identifier: GPL-3.0-or-later
// Finite fields of odd order, as far as Paley's matrices need them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace suture {

/// q = p^k with p prime and k ≥ 1.
struct PrimePower {
    std::int64_t p = 0;
    int k = 0;
};

/// Empty when q is no prime power.
std::optional<PrimePower> prime_power(std::int64_t q);

/// GF(q), q an odd prime power. The element with polynomial coefficients c_0 … c_{k-1} is the integer Σ c_i·p^i in 0 … q-1;
/// for prime q elements are the integers mod q.
class GaloisField {
public:
    explicit GaloisField(PrimePower order);

    std::int64_t order() const { return std::int64_t(character_.size()); }
    std::int64_t difference(std::int64_t a, std::int64_t b) const;
    /// The quadratic character: 0 of zero, +1 of the other squares, -1 of the rest.
    int character(std::int64_t element) const { return character_[std::size_t(element)]; }

private:
    /// Walks 1, x, x², … modulo x^k - Σ tail_i·x^i and notes the characters. False when x is not primitive.
    bool walk_powers(std::int64_t tail);

    PrimePower base_;
    std::vector<std::int8_t> character_;  // [q]
};

}  // namespace suture
