// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/rotary.h"

#include <numbers>

namespace suture {
namespace {

/// θ^(-2i/dim), i = 0 … dim/2-1.
std::vector<double> base_frequencies(double theta, std::int64_t dim) {
    std::vector<double> frequencies;
    for (std::int64_t i = 0; i < dim; i += 2) frequencies.push_back(std::pow(theta, -double(i) / double(dim)));
    return frequencies;
}

/// NTK-aware base for a sequence longer than the trained context.
double dynamic_theta(const Rope& rope, std::int64_t tokens) {
    const double context = double(rope.max_positions), length = std::max(double(tokens), context);
    const double stretch = rope.factor * length / context - (rope.factor - 1);
    return rope.theta * std::pow(stretch, double(rope.dim) / double(rope.dim - 2));
}

/// Long waves are divided by the factor, short ones kept, those between blended.
double llama3_frequency(const Rope& rope, double frequency) {
    const double context = double(rope.original_max_positions), wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength < context / rope.high_freq_factor) return frequency;
    if (wavelength > context / rope.low_freq_factor) return frequency / rope.factor;
    const double smooth = (context / wavelength - rope.low_freq_factor) / (rope.high_freq_factor - rope.low_freq_factor);
    return (1 - smooth) * frequency / rope.factor + smooth * frequency;
}

/// The (fractional) component that turns `rotations` times within the trained context.
double yarn_component(const Rope& rope, double rotations) {
    return double(rope.dim) * std::log(double(rope.original_max_positions) / (rotations * 2 * std::numbers::pi)) /
           (2 * std::log(rope.theta));
}

void apply_yarn(const Rope& rope, std::vector<double>& frequencies) {
    const double low = std::max(std::floor(yarn_component(rope, rope.beta_fast)), 0.0);
    double high = std::min(std::ceil(yarn_component(rope, rope.beta_slow)), double(rope.dim - 1));
    if (low == high) high += 0.001;  // as the reference does, to avoid a division by zero
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        const double interpolated = std::clamp((double(i) - low) / (high - low), 0.0, 1.0);
        frequencies[i] = frequencies[i] / rope.factor * interpolated + frequencies[i] * (1 - interpolated);
    }
}

}  // namespace

RotaryTable rotary_table(const Rope& rope, std::int64_t tokens) {
    auto frequencies = base_frequencies(rope.type == "dynamic" ? dynamic_theta(rope, tokens) : rope.theta, rope.dim);
    double amplitude = 1;
    if (rope.type == "linear")
        for (double& f : frequencies) f /= rope.factor;
    if (rope.type == "llama3")
        for (double& f : frequencies) f = llama3_frequency(rope, f);
    if (rope.type == "yarn") {
        apply_yarn(rope, frequencies);
        amplitude = rope.attention_factor.value_or(rope.factor > 1 ? 0.1 * std::log(rope.factor) + 1 : 1);
    }
    const auto f = at::tensor(frequencies, at::kFloat);                // [dim/2]
    const auto angles = at::outer(at::arange(tokens, at::kFloat), f);  // [T, dim/2]
    const auto both = at::cat({angles, angles}, 1);                    // [T, dim]
    return {at::cos(both).mul_(amplitude), at::sin(both).mul_(amplitude)};
}

at::Tensor rotate(const at::Tensor& x, const RotaryTable& table) {
    const std::int64_t dim = table.cos.size(1), half = dim / 2;
    const auto turned = x.narrow(2, 0, dim);
    const auto swapped = at::cat({turned.narrow(2, half, half).neg(), turned.narrow(2, 0, half)}, 2);
    const auto rotated = turned * table.cos + swapped * table.sin;  // [heads, T, dim]
    return dim == x.size(2) ? rotated : at::cat({rotated, x.narrow(2, dim, x.size(2) - dim)}, 2);
}

}  // namespace suture
