// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/python_random.h"

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

namespace suture {
namespace {

constexpr std::size_t words = 624;

/// The Mersenne Twister's "initialisation by array" (Matsumoto and Nishimura 2002) for a key of one word.
struct KeySequence {
    using result_type = std::uint32_t;
    std::uint32_t key;

    template <class Iterator>
    void generate(Iterator begin, Iterator end) const {
        std::array<std::uint32_t, words> state{19650218u};
        const auto mixed = [&](std::size_t i) { return state[i - 1] ^ (state[i - 1] >> 30); };
        for (std::size_t i = 1; i < words; ++i) state[i] = 1812433253u * mixed(i) + std::uint32_t(i);
        std::size_t i = 1;
        const auto next = [&] {
            if (++i < words) return;
            state[0] = state[words - 1];
            i = 1;
        };
        for (std::size_t round = 0; round < words; ++round, next()) state[i] = (state[i] ^ (mixed(i) * 1664525u)) + key;
        for (std::size_t round = 1; round < words; ++round, next()) state[i] = (state[i] ^ (mixed(i) * 1566083941u)) - std::uint32_t(i);
        state[0] = 0x80000000u;
        for (std::size_t word = 0; begin != end; ++begin) *begin = state[word++];
    }
};

std::mt19937 twister_of(std::uint64_t seed) {
    KeySequence sequence{std::uint32_t(seed)};
    return std::mt19937(sequence);
}

}  // namespace

PythonRandom::PythonRandom(std::uint64_t seed) : twister_(twister_of(seed)) {}

std::int64_t PythonRandom::below(std::int64_t limit) {
    const int bits = std::bit_width(std::uint64_t(limit));
    while (true)
        if (const auto value = std::int64_t(std::uint32_t(twister_()) >> (32 - bits)); value < limit) return value;
}

std::vector<std::int64_t> PythonRandom::sample(std::int64_t size, std::int64_t count) {
    // Below this size a shuffled pool is used, above it a set of those drawn; the two consume the generator differently.
    const double pool_limit = 21 + (count > 5 ? std::pow(4, std::ceil(std::log(double(count * 3)) / std::log(4.0))) : 0);
    std::vector<std::int64_t> drawn;
    if (double(size) <= pool_limit) {
        std::vector<std::int64_t> pool(static_cast<std::size_t>(size));
        std::iota(pool.begin(), pool.end(), 0);
        for (std::int64_t i = 0; i < count; ++i) {
            const auto j = std::size_t(below(size - i));
            drawn.push_back(pool[j]);
            pool[j] = pool[std::size_t(size - i - 1)];
        }
        return drawn;
    }
    std::set<std::int64_t> seen;
    while (std::int64_t(drawn.size()) < count)
        if (const auto j = below(size); seen.insert(j).second) drawn.push_back(j);
    return drawn;
}

}  // namespace suture
