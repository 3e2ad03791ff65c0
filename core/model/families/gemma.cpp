// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/model/internal/family.h"

namespace suture {

extern const Family family_gemma;
const Family family_gemma{
    .model_type = "gemma",
    .class_prefix = "Gemma",
    .label = "Gemma",
    .read =
        [](const ConfigReader& config) {
            Architecture a = read_llama_like(config);
            a.norm_plus_one = true;
            a.embedding_scale = std::sqrt(double(a.hidden));
            a.tied = config.flag("tie_word_embeddings", true);
            // Published configs say "gelu" and mean the tanh form unless hidden_activation says otherwise.
            if (!config.has("hidden_activation")) a.activation = "gelu_tanh";
            return a;
        },
    .bos_by_default = true,
};

}  // namespace suture
