// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr double excluded = -std::numeric_limits<double>::infinity();

void keep_top_k(std::vector<double>& scores, std::int64_t k) {
    if (k <= 0 || std::size_t(k) >= scores.size()) return;
    auto sorted = scores;
    std::nth_element(sorted.begin(), sorted.begin() + (k - 1), sorted.end(), std::greater<>());
    const double least = sorted[std::size_t(k - 1)];
    for (double& s : scores)
        if (s < least) s = excluded;
}

/// exp(score - largest) / Σ
std::vector<double> softmax(const std::vector<double>& scores) {
    const double largest = *std::ranges::max_element(scores);
    std::vector<double> p(scores.size());
    std::ranges::transform(scores, p.begin(), [&](double s) { return std::exp(s - largest); });
    const double sum = std::accumulate(p.begin(), p.end(), 0.0);
    for (double& value : p) value /= sum;
    return p;
}

void keep_top_p(std::vector<double>& scores, double top_p) {
    if (top_p >= 1) return;
    const auto p = softmax(scores);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] > 0) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] > p[b]; });
    double before = 0;  // probability of the more likely ones
    for (const std::size_t i : order) {
        if (before >= top_p) scores[i] = excluded;
        before += p[i];
    }
}

}  // namespace

const std::vector<Setting<GenerationSettings>>& GenerationSettings::fields() {
    using S = GenerationSettings;
    static const std::vector<Setting<S>> list{
        {"max-tokens", "New tokens", "New tokens at most.", &S::max_tokens, {}},
        {"temperature", "Temperature", "Divides the logits before a token is drawn; 0 takes the most likely one.", &S::temperature, {}},
        {"top-k", "Top k", "Draws among the k most likely tokens only; 0 for all.", &S::top_k, {}},
        {"top-p", "Top p", "Draws among the most likely tokens that together reach this probability; 1 for all.", &S::top_p, {}},
        {"seed", "Seed", "Seed of the draws.", &S::seed, {}},
        {"ignore-eos", "Ignore end", "Goes on behind an end-of-sequence token.", &S::ignore_eos, {}}};
    return list;
}

void check(const GenerationSettings& s) {
    if (s.max_tokens < 1) throw usage_error("--max-tokens " + std::to_string(s.max_tokens) + ": give at least one token.");
    if (!(s.temperature >= 0)) throw usage_error("--temperature " + std::to_string(s.temperature) + ": give 0 or more.");
    if (s.top_k < 0) throw usage_error("--top-k " + std::to_string(s.top_k) + ": give a number of tokens, or 0 for all.");
    if (!(s.top_p > 0 && s.top_p <= 1))
        throw usage_error("--top-p " + std::to_string(s.top_p) + ": give a probability above 0 and at most 1.");
}

std::vector<double> token_probabilities(std::span<const float> logits, const GenerationSettings& settings) {
    std::vector<double> scores(logits.size());
    std::ranges::transform(logits, scores.begin(), [&](float logit) { return double(logit) / settings.temperature; });
    keep_top_k(scores, settings.top_k);
    keep_top_p(scores, settings.top_p);
    return softmax(scores);
}

std::int64_t Sampler::next(std::span<const float> logits) {
    if (settings_.temperature == 0) return std::ranges::max_element(logits) - logits.begin();
    const auto p = token_probabilities(logits, settings_);
    double left = double(random_() >> 11) * 0x1p-53;  // uniform in [0, 1)
    std::size_t last = 0;                             // of those that can be drawn, should rounding leave a rest
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (p[i] == 0) continue;
        last = i;
        left -= p[i];
        if (left < 0) break;
    }
    return std::int64_t(last);
}

}  // namespace suture
