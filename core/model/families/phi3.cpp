// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/family.h"

namespace suture {

extern const Family family_phi3;
const Family family_phi3{
    .model_type = "phi3",
    .class_prefix = "Phi3",
    .label = "Phi-3, Phi-3.5 and Phi-4 mini (without longrope)",
    .read =
        [](const ConfigReader& config) {
            Architecture a = read_llama_like(config);
            for (LayerShape& shape : a.layer_shapes) shape.window = config.integer("sliding_window", 0);
            a.names.q = a.names.k = a.names.v = "";
            a.names.qkv = "self_attn.qkv_proj";
            a.names.gate = a.names.up = "";
            a.names.gate_up = "mlp.gate_up_proj";
            return a;
        },
};

}  // namespace suture
