// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/galois.h"

#include <algorithm>

namespace suture {

std::optional<PrimePower> prime_power(std::int64_t q) {
    if (q < 2) return std::nullopt;
    std::int64_t p = 2;
    while (p * p <= q && q % p != 0) ++p;
    if (q % p != 0) p = q;  // no divisor up to √q: q is prime
    int k = 0;
    for (; q % p == 0; q /= p) ++k;
    if (q != 1) return std::nullopt;
    return PrimePower{p, k};
}

GaloisField::GaloisField(PrimePower order) : base_(order) {
    std::int64_t q = 1;
    for (int i = 0; i < order.k; ++i) q *= order.p;
    character_.resize(std::size_t(q));
    // A polynomial for which x generates all q-1 units is irreducible, and squares are its even powers: no general product is needed.
    // One in about k·q/φ(q-1) polynomials is such; for k = 1 the polynomial is x - g, and g a primitive root.
    std::int64_t tail = 1;
    while (!walk_powers(tail)) ++tail;
}

std::int64_t GaloisField::difference(std::int64_t a, std::int64_t b) const {
    const auto p = base_.p;
    if (base_.k == 1) return a >= b ? a - b : a - b + p;
    std::int64_t result = 0;
    for (std::int64_t place = 1; place < order(); place *= p, a /= p, b /= p) result += (a % p - b % p + p) % p * place;
    return result;
}

bool GaloisField::walk_powers(std::int64_t tail) {
    const auto p = base_.p;
    const auto top = order() / p;  // the place of x^(k-1)
    std::fill(character_.begin(), character_.end(), std::int8_t(0));
    std::int64_t element = 1;
    std::int8_t sign = 1;
    for (std::int64_t power = 0; power < order() - 1; ++power, sign = std::int8_t(-sign)) {
        if (element == 0 || character_[std::size_t(element)] != 0) return false;  // back too early
        character_[std::size_t(element)] = sign;
        const auto carry = element / top;  // x·element has carry·x^k, and x^k = tail
        auto product = element % top * p;
        for (std::int64_t place = 1, rest = tail; rest > 0; place *= p, rest /= p) {
            const auto digit = product / place % p;
            product += ((digit + carry * (rest % p)) % p - digit) * place;
        }
        element = product;
    }
    return true;
}

}  // namespace suture
