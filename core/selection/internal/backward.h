// SPDX-License-Identifier: GPL-3.0-or-later
// Gradients of the loss, layer by layer: one layer's graph in memory at a time, between stored states.
#pragma once

#include <functional>

#include "core/model/internal/decoder.h"
#include "core/text/windows.h"

namespace suture {

/// One of a layer's weights with its gradient.
struct WeightGradient {
    std::string name;          // below the layer's prefix: "mlp.down_proj.weight"
    at::Tensor weight;         // float32, as the checkpoint has it: norms without the 1 that a family may add
    at::Tensor gradient = {};  // dL/dw, same shape
};

/// L = mean NLL per counted token over all windows. Calls visit(layer, weights) from the last layer to the first; weights are all
/// of the layer's, norms included and biases not.
void walk_backwards(const Decoder& decoder, const Windows& windows, Progress& progress,
                    const std::function<void(int, const std::vector<WeightGradient>&)>& visit);

/// What walk_backwards() takes: the states in front of every layer, one layer with its gradients, one window's graph.
MemoryEstimate estimate_backwards(const Model& model, const Windows& windows, const ComputeSettings& compute);

}  // namespace suture
