// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/layer_tensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "core/base/error.h"

namespace suture {
namespace {

constexpr std::array computable{"F32", "F16", "BF16"};

std::string shape_text(const std::vector<std::int64_t>& shape) {
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

std::string first_few(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > 3) text += " and " + std::to_string(names.size() - 3) + " more";
    return text;
}

std::string all_lines(const std::string& head, const std::vector<std::string>& names) {
    std::string text = names.empty() ? "" : head + ":\n";
    for (const auto& name : names) text += "  " + name + "\n";
    return text;
}

/// Buffers of older checkpoints that are recomputed, not weights.
bool is_buffer(const std::string& name) { return name.ends_with("rotary_emb.inv_freq"); }

/// Read with the config's "suture" member.
bool is_patch(const std::string& name) { return name.starts_with("suture.patches."); }

void check_layer_numbers(const Architecture& a, const TensorSource& tensors) {
    std::set<int> found;
    for (const auto& info : tensors.tensors())
        if (const int layer = layer_of(a, info.name); layer >= 0) found.insert(layer);
    if (found.empty()) return;  // reported as missing tensors
    const std::string where = tensors.folder().string();
    for (int layer = 0; layer < *found.rbegin(); ++layer)
        if (!found.contains(layer))
            throw Error(where + ": layer " + std::to_string(layer) + " has no tensors, although layer " + std::to_string(*found.rbegin()) +
                        " has");
    if (*found.rbegin() >= a.layers)
        throw Error(where + ": the files hold layers 0 to " + std::to_string(*found.rbegin()) +
                    ", but config.json says num_hidden_layers " + std::to_string(a.layers) + "; the tensors of layer " +
                    std::to_string(a.layers) + " and above would be lost");
}

}  // namespace

int layer_of(const Architecture& a, const std::string& name) {
    if (!name.starts_with(a.layer_prefix)) return -1;
    int layer = -1;
    const char* first = name.data() + a.layer_prefix.size();
    const auto [end, error] = std::from_chars(first, name.data() + name.size(), layer);
    return error == std::errc() && end != first && *end == '.' ? layer : -1;
}

std::vector<NeededTensor> needed_tensors(const Architecture& a) {
    std::vector<NeededTensor> needed{{a.embedding + ".weight", {a.vocabulary, a.hidden}, ""}, {a.final_norm + ".weight", {a.hidden}, ""}};
    if (!a.tied) needed.push_back({a.head + ".weight", {a.vocabulary, a.hidden}, ""});
    const std::int64_t q = a.heads * a.head_dim, kv = a.kv_heads * a.head_dim;
    const LayerNames& n = a.names;
    const std::vector<std::pair<std::string, std::vector<std::int64_t>>> parts{{n.attention_norm, {a.hidden}},
                                                                               {n.attention_post_norm, {a.hidden}},
                                                                               {n.q, {q, a.hidden}},
                                                                               {n.k, {kv, a.hidden}},
                                                                               {n.v, {kv, a.hidden}},
                                                                               {n.qkv, {q + 2 * kv, a.hidden}},
                                                                               {n.q_norm, {a.head_dim}},
                                                                               {n.k_norm, {a.head_dim}},
                                                                               {n.o, {a.hidden, q}},
                                                                               {n.mlp_norm, {a.hidden}},
                                                                               {n.mlp_post_norm, {a.hidden}},
                                                                               {n.gate, {a.intermediate, a.hidden}},
                                                                               {n.up, {a.intermediate, a.hidden}},
                                                                               {n.gate_up, {2 * a.intermediate, a.hidden}},
                                                                               {n.down, {a.hidden, a.intermediate}}};
    for (int layer = 0; layer < a.layers; ++layer)
        for (const auto& [name, shape] : parts)
            if (!name.empty()) {
                const std::string full = a.layer_tensor(layer, name);
                needed.push_back({full + ".weight", shape, shape.size() == 2 ? full + ".bias" : ""});
            }
    return needed;
}

std::vector<std::string> check_tensors(const Architecture& a, const TensorSource& tensors) {
    check_layer_numbers(a, tensors);
    std::vector<std::string> missing, unexpected;
    std::set<std::string> used;
    const auto check = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
        const TensorInfo& info = tensors.info(name);
        if (info.shape != shape)
            throw Error(info.file.string() + ": " + name + " has shape " + shape_text(info.shape) + ", config.json asks for " +
                        shape_text(shape));
        if (std::find(computable.begin(), computable.end(), info.dtype) == computable.end())
            throw Error(info.file.string() + ": " + name + " is stored as " + info.dtype +
                        "; Suture computes with F32, F16 and BF16 weights");
        used.insert(name);
    };
    for (const NeededTensor& tensor : needed_tensors(a)) {
        if (!tensors.contains(tensor.name)) {
            missing.push_back(tensor.name);
            continue;
        }
        check(tensor.name, tensor.shape);
        if (!tensor.bias.empty() && tensors.contains(tensor.bias)) check(tensor.bias, {tensor.shape[0]});
    }
    for (const auto& info : tensors.tensors())
        if (!used.contains(info.name) && !is_buffer(info.name) && !is_patch(info.name) && info.name != a.head + ".weight")
            unexpected.push_back(info.name);
    const std::string where = tensors.folder().string();
    if (missing.size() == 1 && missing[0] == a.head + ".weight")
        throw Error(where + ": there is no output head (" + missing[0] +
                    ") and config.json does not tie it to the embeddings; set tie_word_embeddings to true if it should be");
    if (!missing.empty())
        throw Error(where + ": tensors are missing: " + first_few(missing) +
                        (unexpected.empty() ? "" : "; unexpected ones are there: " + first_few(unexpected)),
                    Error::Kind::Input, all_lines("Missing", missing) + all_lines("Unexpected", unexpected));
    // Tensors inside a layer that nothing reads would change what the layer computes.
    std::vector<std::string> inside, outside;
    for (const auto& name : unexpected) (layer_of(a, name) >= 0 ? inside : outside).push_back(name);
    if (!inside.empty())
        throw Error(where + ": the layers hold tensors that a " + a.model_type + " does not have: " + first_few(inside), Error::Kind::Input,
                    all_lines("Unexpected", inside));
    if (outside.empty()) return {};
    return {"tensors that the decoder does not use are kept as they are: " + first_few(outside)};
}

}  // namespace suture
