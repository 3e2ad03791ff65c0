// SPDX-License-Identifier: GPL-3.0-or-later
// LaCo's layer collapse: one layer takes up those that follow it.
#pragma once

#include "core/model/internal/decoder.h"

namespace suture {

/// θ_base + Σ_k (θ_k − θ_base) of the projections of attention and MLP, each layer as `model` changed by `variant` has it; norms and
/// biases stay those of the base. The variant with the others removed and the base edited. (LaCo, EMNLP Findings 2024, section 2.)
Variant merged(const Model& model, const Variant& variant, int base, const std::vector<int>& others);

}  // namespace suture
