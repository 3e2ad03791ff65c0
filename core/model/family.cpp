// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/family.h"

#include <algorithm>
#include <cmath>

#include "core/model/internal/rope_config.h"

namespace suture {
namespace {

constexpr std::int64_t most_layers = 4096;  // what a damaged or hostile config can ask for has to end somewhere

std::string activation_of(const ConfigReader& config) {
    const std::string name = config.text("hidden_activation", config.text("hidden_act", "silu"));
    if (name == "silu" || name == "swish") return "silu";
    if (name == "gelu") return "gelu";
    if (name == "gelu_pytorch_tanh" || name == "gelu_new") return "gelu_tanh";
    config.refuse("activation \"" + name + "\" is not supported; supported are silu, gelu and gelu_pytorch_tanh");
}

}  // namespace

const Family& family_of(const ConfigReader& config) {
    const std::string type = config.text("model_type", "");
    const std::string stock = type.starts_with(exported_prefix) ? type.substr(exported_prefix.size()) : type;
    std::string known;
    for (const Family* family : all_families()) {
        if (family->model_type == stock) return *family;
        known += (known.empty() ? "" : ", ") + family->model_type;
    }
    const auto names = config.json().value("architectures", nlohmann::ordered_json::array());
    const std::string name = names.is_array() && !names.empty() && names[0].is_string() ? " (" + names[0].get<std::string>() + ")" : "";
    if (config.has("text_config"))
        config.refuse("model_type \"" + type + "\"" + name + " is a multimodal model; Suture opens text-only decoders: " + known);
    config.refuse(type.empty() ? "\"model_type\" is missing, so the architecture can't be told"
                               : "architecture \"" + type + "\"" + name + " is not supported; supported are " + known);
}

std::vector<LayerField> layer_fields_of(const Family& family) {
    auto fields = family.layer_fields;
    const auto is_types = [](const LayerField& field) { return field.name == "layer_types"; };
    if (std::none_of(fields.begin(), fields.end(), is_types)) fields.push_back({.name = "layer_types"});
    return fields;
}

void check_layer_fields(const ConfigReader& config, const Family& family, int layers) {
    for (const LayerField& field : layer_fields_of(family)) {
        if (field.kind != LayerField::Kind::List || !config.has(field.name)) continue;
        const auto entries = per_layer_list(config, field.name, layers);
        for (std::size_t i = 0; i < entries.size() && field.name == "layer_types"; ++i)
            if (entries[i] != "full_attention" && entries[i] != "sliding_attention")
                config.refuse("layer type " + entries[i].dump() + " of layer " + std::to_string(i) + " is not supported");
    }
}

Architecture read_llama_like(const ConfigReader& config, double default_theta) {
    Architecture a;
    a.model_type = config.text("model_type", "");
    const auto names = config.json().value("architectures", nlohmann::ordered_json::array());
    if (names.is_array() && !names.empty() && names[0].is_string()) a.class_name = names[0].get<std::string>();
    a.layers = int(config.integer("num_hidden_layers"));
    a.hidden = config.integer("hidden_size");
    a.intermediate = config.integer("intermediate_size");
    a.vocabulary = config.integer("vocab_size");
    a.heads = config.integer("num_attention_heads");
    a.kv_heads = config.integer("num_key_value_heads", a.heads);
    for (const auto& [name, value] : {std::pair{"num_hidden_layers", std::int64_t(a.layers)},
                                      {"hidden_size", a.hidden},
                                      {"intermediate_size", a.intermediate},
                                      {"vocab_size", a.vocabulary},
                                      {"num_attention_heads", a.heads},
                                      {"num_key_value_heads", a.kv_heads}})
        if (value < 1) config.refuse(std::string("\"") + name + "\" must be at least 1, not " + std::to_string(value));
    if (config.integer("num_hidden_layers") > most_layers)
        config.refuse("num_hidden_layers " + std::to_string(config.integer("num_hidden_layers")) + " is beyond any model; at most " +
                      std::to_string(most_layers) + " are opened");
    if (a.heads % a.kv_heads != 0)
        config.refuse("num_attention_heads " + std::to_string(a.heads) + " is no multiple of num_key_value_heads " +
                      std::to_string(a.kv_heads));
    a.head_dim = config.integer("head_dim", a.hidden / a.heads);
    a.norm_eps = config.number("rms_norm_eps", 1e-6);
    a.activation = activation_of(config);
    a.score_scale = 1.0 / std::sqrt(double(a.head_dim));
    a.tied = config.flag("tie_word_embeddings", false);
    a.rope = read_rope(config, a.head_dim, default_theta);
    a.layer_shapes.assign(std::size_t(a.layers), {});
    return a;
}

std::vector<nlohmann::json> per_layer_list(const ConfigReader& config, const std::string& key, int layers) {
    const auto& list = config.json()[key];
    if (!list.is_array()) config.refuse("\"" + key + "\" should be a list, not " + list.dump());
    if (int(list.size()) < layers)
        config.refuse("\"" + key + "\" has " + std::to_string(list.size()) + " entries for " + std::to_string(layers) + " layers");
    return {list.begin(), list.begin() + layers};
}

bool apply_layer_types(const ConfigReader& config, Architecture& architecture) {
    if (!config.has("layer_types")) return false;
    const auto types = per_layer_list(config, "layer_types", architecture.layers);
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i] == "sliding_attention") architecture.layer_shapes[i].window = config.integer("sliding_window", 0);
        else if (types[i] == "full_attention") architecture.layer_shapes[i].window = 0;
        else config.refuse("layer type " + types[i].dump() + " of layer " + std::to_string(i) + " is not supported");
    }
    return true;
}

}  // namespace suture
