// SPDX-License-Identifier: GPL-3.0-or-later
// From logits to the next token.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/base/setting.h"

namespace suture {

struct GenerationSettings {
    std::int64_t max_tokens = 128;  ///< new tokens at most
    double temperature = 0;         ///< 0: greedy, the most likely token each time; else logits are divided by it and a token is drawn
    std::int64_t top_k = 0;         ///< only the k most likely tokens; 0: all
    double top_p = 1;               ///< only the most likely tokens that together reach this probability; 1: all
    std::int64_t seed = 0;          ///< of the draws; every variant starts from the same
    bool ignore_eos = false;        ///< goes on behind an end-of-sequence token

    static const std::vector<Setting<GenerationSettings>>& fields();
};

/// Throws a usage Error for settings that make no sense.
void check(const GenerationSettings& settings);

/// Probabilities of the next token, [V], summing to 1, for a temperature above 0. The filters act in transformers' order: logits
/// / temperature; top-k keeps what is at least the k-th largest logit, ties included; top-p, on what is left, keeps the shortest
/// run of most likely tokens whose probabilities reach top_p (at least one token; of equal ones lower ids first).
std::vector<double> token_probabilities(std::span<const float> logits, const GenerationSettings& settings);

/// Chooses token after token. Two samplers with equal settings choose alike, on every machine.
class Sampler {
public:
    explicit Sampler(const GenerationSettings& settings) : settings_(settings), random_(std::uint64_t(settings.seed)) {}
    /// The most likely token (of equal ones the lowest id) or a drawn one.
    std::int64_t next(std::span<const float> logits);

private:
    GenerationSettings settings_;
    std::mt19937_64 random_;
};

}  // namespace suture
