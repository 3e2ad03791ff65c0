// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs that live in a kept layer's own down projection: what a solution reads, and what it is.
#pragma once

#include <span>

#include "core/model/internal/decoder.h"
#include "core/tensor/internal/torch.h"

namespace suture {

/// Sums over the rows of one layer in the repaired model. F is what the fit predicts from: the MLP's features [n, I], or its output [n, C].
/// R is what the stream behind this layer lacks to the dense model's stream in front of the next kept layer, [n, C]. float64.
struct LayerSums {
    at::Tensor gram;   // FᵀF
    at::Tensor cross;  // FᵀR
    void add(const at::Tensor& features, const at::Tensor& missing);
};

struct LayerFitInput {
    LayerSums sums;
    at::Tensor weight;  // [C, I] float64: the down projection as it is
    at::Tensor bias;    // [C] float64, or undefined
};

/// One edit per λ: the new down projection, and bias where there is one.
struct LayerFit {
    std::vector<at::Tensor> weights;  // [C, I]
    std::vector<at::Tensor> biases;   // [C], empty without
};

}  // namespace suture
