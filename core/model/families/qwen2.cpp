// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/qwen_windows.h"

namespace suture {

extern const Family family_qwen2;
const Family family_qwen2{
    .model_type = "qwen2",
    .class_prefix = "Qwen2",
    .label = "Qwen2, Qwen2.5",
    .read =
        [](const ConfigReader& config) {
            Architecture a = read_llama_like(config);
            apply_qwen_windows(config, a);
            return a;
        },
    .layer_fields = qwen_layer_fields(),
};

}  // namespace suture
