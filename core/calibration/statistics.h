// SPDX-License-Identifier: GPL-3.0-or-later
// What one forward pass over the calibration windows leaves behind. It answers every start, length, d and plot without running
// the model again. All of it is sums, counts and top-k sets over tokens.
//
// Notation: L layers; P = L+1 points of the residual stream, x_p enters layer p and x_L leaves the last layer, before the final
// norm; C channels; W windows; N tokens in all windows. Basis 0 is the stream itself, basis 1 is x·H with the orthonormal
// Hadamard matrix H of size C. Tokens that the window settings leave out count in none of the sums.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/setting.h"
#include "core/store/store.h"

namespace suture {

struct CalibrationSettings {
    double extreme_token = 20;    ///< a token is extreme above this many times the point's median L2 norm in its window
    double extreme_channel = 30;  ///< a channel is extreme above this many times the median channel's mean |x|
    std::int64_t sample = 512;    ///< tokens whose states are kept at all points

    static const std::vector<Setting<CalibrationSettings>>& fields();
};

/// A massive activation: a token whose norm stands far above the others of its window.
struct ExtremeToken {
    std::int64_t window = 0, position = 0, id = 0;
    std::int64_t point = 0;                        ///< where it stands out most
    std::int64_t first_point = 0, last_point = 0;  ///< the points at which it is extreme
    double norm = 0, median = 0;                   ///< L2 at `point`
};

struct ExtremeChannel {
    std::int64_t point = 0, channel = 0;
    double mean_abs = 0, median = 0;
};

struct Statistics {
    int layers = 0;
    std::int64_t hidden = 0;
    std::string hadamard;  ///< description of H

    // Similarity of points, [P, P], row before column; NaN on and below the diagonal.
    Matrix cosine_token;       ///< cos along the hidden axis per token, mean over tokens (the paper's)
    Matrix cosine_token_axis;  ///< cos along the token axis per channel, mean over channels, then windows (published script)
    Matrix angular_last;       ///< arccos(cos of a window's last token)/π, mean over windows
    Matrix angular_all;        ///< the same over all tokens

    // Magnitudes.
    Array<double> channel_abs;    ///< [2, P, W, C] Σ|x| over a window's tokens
    Array<double> window_tokens;  ///< [W] tokens counted
    Array<double> peak;           ///< [2, P] max |x|
    Array<float> token_l2;        ///< [P, N] L2 norm of every token, left-out ones included (equal in both bases)
    Array<float> token_abs;       ///< [2, P, N] mean |x| of every token

    // Products over all tokens, per channel: what the exact error of every scaling needs.
    Array<double> square;   ///< [2, P, C] Σ x_p²
    Array<double> product;  ///< [2, pairs, C] Σ x_s·x_e, pair (s, e) at pair_index(s, e)

    // States of a sample of S tokens: evenly spread ones, a first stretch without gaps, and the extreme ones.
    Array<float> sample;                      ///< [P, S, C]
    std::vector<std::int64_t> sample_tokens;  ///< [S] their places 0 … N-1, ascending

    std::vector<ExtremeToken> extreme_tokens;  ///< strongest first
    std::vector<ExtremeChannel> extreme_channels;
    std::vector<std::int64_t> window_begin;  ///< [W + 1] place of each window's first token, then N
    std::vector<std::int64_t> ids;           ///< [N] token ids
    std::vector<std::int64_t> counted;       ///< [N] 1 where the token is in the sums
    nlohmann::json conditions;               ///< model, text, settings

    std::int64_t points() const { return layers + 1; }
    std::int64_t windows() const { return std::int64_t(window_begin.size()) - 1; }
    std::int64_t tokens() const { return std::int64_t(ids.size()); }
    std::int64_t counted_tokens() const;
    std::int64_t pair_index(int s, int e) const { return std::int64_t(s) * (2 * points() - s - 1) / 2 + (e - s - 1); }
    /// [C] mean |x_p| over all counted tokens.
    std::vector<double> mean_abs(int basis, int point) const;
    /// Mean L2 norm of the counted tokens at a point.
    double mean_l2(int point) const;
    /// Incoherence of the stream at a point, max|X|·√(tokens·channels)/‖X‖_F: 1 when all entries are alike.
    double incoherence(int basis, int point) const;
    /// 1 - cosine of neighbours (ShortGPT), [L].
    std::vector<double> block_influence() const;

    Artefact to_artefact() const;
    static Statistics from_artefact(const Artefact& artefact);
};

}  // namespace suture
