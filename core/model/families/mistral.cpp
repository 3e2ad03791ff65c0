// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/family.h"

namespace suture {

extern const Family family_mistral;
const Family family_mistral{
    .model_type = "mistral",
    .class_prefix = "Mistral",
    .label = "Mistral",
    .read =
        [](const ConfigReader& config) {
            Architecture a = read_llama_like(config);
            if (!apply_layer_types(config, a))  // one window for every layer; null or 0: none
                for (LayerShape& shape : a.layer_shapes) shape.window = config.integer("sliding_window", 0);
            return a;
        },
    .layer_fields = {{.name = "layer_types"}},
};

}  // namespace suture
