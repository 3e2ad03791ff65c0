// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/family.h"

namespace suture {

extern const Family family_llama;
const Family family_llama{
    .model_type = "llama",
    .class_prefix = "Llama",
    .label = "Llama (also SmolLM, SmolLM2, TinyLlama, DeepSeek-R1-Distill-Llama)",
    .read = [](const ConfigReader& config) { return read_llama_like(config); },
};

}  // namespace suture
