// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/qwen_windows.h"

namespace suture {

extern const Family family_qwen3;
const Family family_qwen3{
    .model_type = "qwen3",
    .class_prefix = "Qwen3",
    .label = "Qwen3 (dense)",
    .read =
        [](const ConfigReader& config) {
            Architecture a = read_llama_like(config);
            apply_qwen_windows(config, a);
            a.names.q_norm = "self_attn.q_norm";
            a.names.k_norm = "self_attn.k_norm";
            return a;
        },
    .layer_fields = qwen_layer_fields(),
};

}  // namespace suture
