// SPDX-License-Identifier: GPL-3.0-or-later
// Rotary position embedding as tables.
#pragma once

#include "core/model/architecture.h"
#include "core/tensor/internal/torch.h"

namespace suture {

struct RotaryTable {
    at::Tensor cos, sin;  // [T, dim] float32, the half repeated twice
};

/// Tables for positions 0 … tokens-1. `dynamic` depends on the length: a fresh model that sees `tokens` tokens at once.
/// Source of the formulas: the papers' definitions as transformers' ROPE_INIT_FUNCTIONS applies them (yarn multiplies cos and sin).
RotaryTable rotary_table(const Rope& rope, std::int64_t tokens);

/// Rotates the first rope.dim components of x [heads, T, head_dim]; the rest passes unchanged.
at::Tensor rotate(const at::Tensor& x, const RotaryTable& table);

}  // namespace suture
