// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/stock_layer.h"

#include <algorithm>

namespace suture {

std::string stock_layer_refusal(const Model& model) {
    const Architecture& a = model.architecture();
    const std::string start = "the repair stock-layer can't be used: ";
    if (a.model_type != "llama" && a.model_type != "qwen2" && a.model_type != "mistral")
        return start + a.model_type + " has no biases in its MLP; it works for llama, qwen2 and mistral. Choose ridge-normalised";
    if (std::any_of(a.layer_shapes.begin(), a.layer_shapes.end(), [](const LayerShape& shape) { return shape.window > 0; }))
        return start + "a model with sliding windows can't be written as Llama. Choose ridge-normalised";
    if (2 * a.hidden > a.intermediate)
        return start + "it needs an MLP of at least twice the hidden size, and " + std::to_string(a.intermediate) + " is less than 2 × " +
               std::to_string(a.hidden) + ". Choose ridge-normalised";
    return {};
}

}  // namespace suture
