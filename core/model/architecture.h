// SPDX-License-Identifier: GPL-3.0-or-later
// A decoder as data: everything the forward pass needs to know that is not a weight.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace suture {

/// Rotary position embedding. Angles are θ^(-2i/dim) per position, changed by `type`.
struct Rope {
    std::string type = "default";  ///< default, linear, dynamic, llama3 or yarn
    double theta = 10000;
    std::int64_t dim = 0;  ///< rotated components of a head, even; the rest passes unchanged
    double factor = 1;
    double low_freq_factor = 1, high_freq_factor = 4;  ///< llama3
    double beta_fast = 32, beta_slow = 1;              ///< yarn
    std::optional<double> attention_factor;            ///< yarn; absent: 0.1·ln(factor) + 1
    std::int64_t original_max_positions = 0;           ///< context the model was first trained with, tokens
    std::int64_t max_positions = 0;                    ///< max_position_embeddings, tokens
};

/// What may differ from layer to layer.
struct LayerShape {
    bool rotary = true;       ///< false: no position embedding in this layer (NoPE)
    std::int64_t window = 0;  ///< sliding window in tokens, the token itself included; 0: sees everything before it
    bool operator==(const LayerShape&) const = default;
};

/// Tensor names of one decoder layer below its prefix, without ".weight" / ".bias". Empty: the family has none.
struct LayerNames {
    std::string attention_norm = "input_layernorm";
    std::string attention_post_norm;  ///< on the attention's output, before it joins the stream (gemma2)
    std::string q = "self_attn.q_proj", k = "self_attn.k_proj", v = "self_attn.v_proj";
    std::string qkv;             ///< fused: rows of q, then k, then v (phi3)
    std::string q_norm, k_norm;  ///< RMSNorm per head, before the rotation
    std::string o = "self_attn.o_proj";
    std::string mlp_norm = "post_attention_layernorm";
    std::string mlp_post_norm;
    std::string gate = "mlp.gate_proj", up = "mlp.up_proj";
    std::string gate_up;  ///< fused: rows of gate, then up (phi3)
    std::string down = "mlp.down_proj";
};

/// Pre-norm decoder: x += attention(norm(x)); x += mlp(norm(x)), gated MLP, RMSNorm. Residual stream [T, hidden].
struct Architecture {
    std::string model_type;  ///< config.json's model_type
    std::string class_name;  ///< config.json's first architecture
    int layers = 0;
    std::int64_t hidden = 0, intermediate = 0, vocabulary = 0;
    std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
    double norm_eps = 1e-6;
    bool norm_plus_one = false;           ///< norms multiply by 1 + weight (gemma)
    double embedding_scale = 1;           ///< on the embeddings before layer 0
    std::string activation = "silu";      ///< silu, gelu or gelu_tanh
    double score_scale = 0;               ///< on q·k
    double score_cap = 0, logit_cap = 0;  ///< cap·tanh(x/cap); 0: none
    bool tied = false;                    ///< the head is the embedding matrix
    Rope rope;
    std::vector<LayerShape> layer_shapes;  ///< one per decoder layer
    std::string embedding = "model.embed_tokens", final_norm = "model.norm", head = "lm_head";
    std::string layer_prefix = "model.layers.";  ///< followed by the layer's number and a dot
    LayerNames names;

    /// "model.layers.3.mlp.down_proj" for (3, names.down).
    std::string layer_tensor(int layer, const std::string& name) const { return layer_prefix + std::to_string(layer) + "." + name; }
};

}  // namespace suture
