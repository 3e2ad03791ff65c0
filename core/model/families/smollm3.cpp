// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/qwen_windows.h"

namespace suture {
namespace {

/// Every no_rope_layer_interval-th layer does without rotation; 1 means that the layer does rotate.
nlohmann::json derived_no_rope_layers(const nlohmann::ordered_json& config, int layers) {
    const int interval = config.value("no_rope_layer_interval", 4);
    auto rotates = nlohmann::json::array();
    for (int i = 0; i < layers; ++i) rotates.push_back((i + 1) % interval != 0 ? 1 : 0);
    return rotates;
}

Architecture read_smollm3(const ConfigReader& config) {
    Architecture a = read_llama_like(config, 2000000);
    apply_qwen_windows(config, a);
    const auto rotates = config.has("no_rope_layers") ? nlohmann::json(per_layer_list(config, "no_rope_layers", a.layers))
                                                      : derived_no_rope_layers(config.json(), a.layers);
    for (std::size_t i = 0; i < a.layer_shapes.size(); ++i) a.layer_shapes[i].rotary = rotates[i] != 0;
    return a;
}

}  // namespace

extern const Family family_smollm3;
const Family family_smollm3{
    .model_type = "smollm3",
    .class_prefix = "SmolLM3",
    .label = "SmolLM3",
    .read = read_smollm3,
    .layer_fields = {{.name = "layer_types", .derived = qwen_layer_types},
                     {.name = "max_window_layers", .kind = LayerField::Kind::CountBelow},
                     {.name = "no_rope_layers", .derived = derived_no_rope_layers}},
};

}  // namespace suture
