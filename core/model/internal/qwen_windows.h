// SPDX-License-Identifier: GPL-3.0-or-later
// The sliding-window rule that qwen2, qwen3 and smollm3 share.
#pragma once

#include "core/model/internal/family.h"

namespace suture {

/// The layer types transformers derives: layers from max_window_layers on have the window, when windows are used at all.
nlohmann::json qwen_layer_types(const nlohmann::ordered_json& config, int layers);
/// Sets the windows of `architecture`. Published configs keep a sliding_window although use_sliding_window is false: ignored then.
void apply_qwen_windows(const ConfigReader& config, Architecture& architecture);
/// layer_types and max_window_layers.
std::vector<LayerField> qwen_layer_fields();

}  // namespace suture
