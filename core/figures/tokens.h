// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Tokens: how far apart are the two sides of the seam, token by token?
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/seam_view.h"

namespace suture {

/// The text of a token; an empty function gives "id 123".
using TokenText = std::function<std::string(std::int64_t id)>;

enum class TokenMeasure { MeanAbs, L2 };

struct TokenOptions {
    std::int64_t window = 0;  ///< 0 … Statistics::windows()-1; others are taken to the nearest
    TokenMeasure measure = TokenMeasure::MeanAbs;
    Basis basis = Basis::Raw;  ///< of the mean |x|; L2 norms are equal in both
    bool log = true;           ///< of the y axis, or of the colours
};

/// Magnitude of every token of a window on both sides of the seam; x: position in the window, read-out: the token's text.
/// The patched curve is a line for a scalar; otherwise points at the sampled tokens of the window, in the raw basis (or L2 norms).
Figure token_magnitudes(const SeamView& view, const TokenOptions& options, const TokenText& text);

/// Distribution of mean |x_e| / mean |x_s| per counted token as step lines over a logarithmic axis, raw and in the Hadamard
/// basis; y: % of the tokens. The caption holds both standard deviations and the incoherence μ at x_s.
Figure token_ratios(const SeamView& view);

/// Magnitude of every token of a window at all points: y is the point 0 … L, x the position. More than 1024 tokens are pooled,
/// each cell the largest of its tokens.
Figure token_map(const Statistics* statistics, const TokenOptions& options, const TokenText& text);

/// Massive activations, strongest first: token, window, position, layer in front of which it is strongest, L2 norm, times the
/// window's median, layers. The number of layers stands for the final norm.
Table extreme_token_table(const Statistics* statistics, const TokenText& text);

/// Channels far above the median channel: channel, layer it enters, mean |x|, times the median.
Table extreme_channel_table(const Statistics* statistics);

}  // namespace suture
