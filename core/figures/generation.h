// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Generate: does it still talk?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/figures/variant_label.h"
#include "core/generation/reasoning.h"

namespace suture {

/// A text with every token's loss under several variants.
struct TokenLosses {
    std::vector<std::string> tokens;          ///< [T] as people read them
    std::int64_t prompt_tokens = 0;           ///< of them; the others are what the dense model wrote
    std::vector<std::vector<double>> losses;  ///< [variant][T-1] nats, from the second token on
};

/// Loss of every token of prompt and dense text under each variant minus that under the first, the dense model; the stretch of the
/// prompt is marked. `text` null or one variant only: says what to do.
Figure loss_differences(const std::vector<VariantLabel>& variants, const TokenLosses* text);

/// A row per variant: new tokens, how it ended, seconds for the prompt, tokens per second, mean loss of the dense text.
Table generation_table(const std::vector<VariantLabel>& variants, std::span<const Generation> texts, const TokenLosses* losses);

/// A row per variant: correct, problems, accuracy with standard error, how many the token limit cut off.
Table answers_table(const std::vector<VariantLabel>& variants, std::span<const ReasoningResult> results);

/// A row per problem that all variants have answered: prompt, expected answer, and each variant's answer marked right or wrong.
Table problems_table(const std::vector<VariantLabel>& variants, const std::vector<std::vector<ReasoningRow>>& rows);

}  // namespace suture
