// SPDX-License-Identifier: GPL-3.0-or-later
// The generator with which lm-evaluation-harness draws few-shot examples.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace suture {

/// Draws as Python's random.Random(seed) does, for seeds of 0 … 2³²-1.
class PythonRandom {
public:
    explicit PythonRandom(std::uint64_t seed);
    /// random.sample(range(size), count); 0 ≤ count ≤ size.
    std::vector<std::int64_t> sample(std::int64_t size, std::int64_t count);

private:
    std::int64_t below(std::int64_t limit);  // 0 … limit-1

    std::mt19937 twister_;
};

}  // namespace suture
