// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/model.h"

namespace suture {

/// Why `model` can't hold x + x̂·M as a decoder layer of its own; empty: it can. It takes a gated or plain MLP twice as wide as the
/// stream with biases, which of the families here the Llama class has; Qwen2 and Mistral without windows can be written as Llama.
std::string stock_layer_refusal(const Model& model);

}  // namespace suture
