// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/qwen_windows.h"

namespace suture {
namespace {

bool uses_windows(const nlohmann::ordered_json& config) {
    return config.value("use_sliding_window", false) && config.contains("sliding_window") && !config["sliding_window"].is_null();
}

}  // namespace

nlohmann::json qwen_layer_types(const nlohmann::ordered_json& config, int layers) {
    const int first = uses_windows(config) ? config.value("max_window_layers", 28) : layers;
    auto types = nlohmann::json::array();
    for (int i = 0; i < layers; ++i) types.push_back(i >= first ? "sliding_attention" : "full_attention");
    return types;
}

void apply_qwen_windows(const ConfigReader& config, Architecture& architecture) {
    if (!uses_windows(config.json()) || apply_layer_types(config, architecture)) return;
    const auto types = qwen_layer_types(config.json(), architecture.layers);
    for (std::size_t i = 0; i < types.size(); ++i)
        if (types[i] == "sliding_attention") architecture.layer_shapes[i].window = config.integer("sliding_window");
}

std::vector<LayerField> qwen_layer_fields() {
    return {{.name = "layer_types", .derived = qwen_layer_types}, {.name = "max_window_layers", .kind = LayerField::Kind::CountBelow}};
}

}  // namespace suture
