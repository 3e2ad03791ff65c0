// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs that live in a kept layer's own projections: what a solution reads, and what it is.
#pragma once

#include <span>

#include "core/model/internal/decoder.h"
#include "core/tensor/internal/torch.h"

namespace suture {

/// Sums over the rows of one layer in the repaired model. F is what the fit predicts from: the MLP's features [n, I] or its
/// output [n, C], or the attention's heads [n, heads·D].
/// R is what the stream behind the layer (its attention) lacks to the dense model's stream in front of the next kept layer (behind the
/// attention of the same layer), [n, C]. float64.
struct LayerSums {
    at::Tensor gram;   // FᵀF
    at::Tensor cross;  // FᵀR
    void add(const at::Tensor& features, const at::Tensor& missing);
};

struct LayerFitInput {
    LayerSums sums;
    at::Tensor weight;  // [C, I] float64: the projection as it is
    at::Tensor bias;    // [C] float64, or undefined
};

/// One edit per λ: the new projection, and bias where there is one.
struct LayerFit {
    std::vector<at::Tensor> weights;  // [C, I]
    std::vector<at::Tensor> biases;   // [C], empty without
};

}  // namespace suture
