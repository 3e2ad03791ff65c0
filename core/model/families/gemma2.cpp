// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/model/internal/family.h"

namespace suture {
namespace {

/// Even layers slide, odd layers see everything.
nlohmann::json derived_layer_types(const nlohmann::ordered_json&, int layers) {
    auto types = nlohmann::json::array();
    for (int i = 0; i < layers; ++i) types.push_back(i % 2 == 0 ? "sliding_attention" : "full_attention");
    return types;
}

Architecture read_gemma2(const ConfigReader& config) {
    Architecture a = read_llama_like(config);
    a.norm_plus_one = true;
    a.embedding_scale = std::sqrt(double(a.hidden));
    a.tied = config.flag("tie_word_embeddings", true);
    a.score_scale = 1.0 / std::sqrt(config.number("query_pre_attn_scalar", 256));
    a.score_cap = config.number("attn_logit_softcapping", 0);
    a.logit_cap = config.number("final_logit_softcapping", 0);
    a.names.attention_post_norm = "post_attention_layernorm";
    a.names.mlp_norm = "pre_feedforward_layernorm";
    a.names.mlp_post_norm = "post_feedforward_layernorm";
    if (!apply_layer_types(config, a))
        for (std::size_t i = 0; i < a.layer_shapes.size(); i += 2) a.layer_shapes[i].window = config.integer("sliding_window", 4096);
    return a;
}

}  // namespace

extern const Family family_gemma2;
const Family family_gemma2{
    .model_type = "gemma2",
    .class_prefix = "Gemma2",
    .label = "Gemma 2",
    .read = read_gemma2,
    .layer_fields = {{.name = "layer_types", .derived = derived_layer_types}},
    .bos_by_default = true,
};

}  // namespace suture
