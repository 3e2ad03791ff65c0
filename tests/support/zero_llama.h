// SPDX-License-Identifier: GPL-3.0-or-later
// A model that computes nothing, of any depth.
#pragma once

#include <filesystem>
#include <functional>
#include <numeric>

#include "core/checkpoint/checkpoint_writer.h"
#include "core/model/model.h"

namespace suture::test {

/// A llama of hidden size 8 whose weights are all zero.
inline std::shared_ptr<const Model> llama_of_zeros(const std::filesystem::path& folder, int layers) {
    const nlohmann::json config{{"model_type", "llama"},       {"architectures", {"LlamaForCausalLM"}},
                                {"num_hidden_layers", layers}, {"hidden_size", 8},
                                {"intermediate_size", 8},      {"vocab_size", 16},
                                {"num_attention_heads", 2},    {"tie_word_embeddings", true}};
    CheckpointWriter writer(folder);
    static const std::vector<float> zeros(16 * 8, 0.0F);
    const auto add = [&](const std::string& name, std::vector<std::int64_t> shape) {
        const auto count = std::size_t(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
        writer.add_tensor(name, "F32", std::move(shape), std::as_bytes(std::span(zeros).first(count)));
    };
    add("model.embed_tokens.weight", {16, 8});
    add("model.norm.weight", {8});
    for (int l = 0; l < layers; ++l) {
        const std::string prefix = "model.layers." + std::to_string(l) + ".";
        for (const char* norm : {"input_layernorm", "post_attention_layernorm"}) add(prefix + norm + ".weight", {8});
        for (const char* linear : {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj",
                                   "mlp.up_proj", "mlp.down_proj"})
            add(prefix + linear + ".weight", {8, 8});
    }
    writer.add_text("config.json", config.dump());
    Progress progress;
    writer.commit(progress);
    return Model::open(folder);
}

}  // namespace suture::test
