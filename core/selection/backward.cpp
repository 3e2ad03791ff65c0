// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/internal/backward.h"

namespace suture {
namespace {

constexpr std::int64_t rows_at_once = 128;  // of logits, which are held with their gradients

/// dL/dx_L of one window, [T, C]. `total`: counted tokens of all windows.
at::Tensor head_gradient(const Decoder& decoder, const at::Tensor& x, const std::vector<std::int64_t>& ids,
                         const std::vector<bool>& counted, double total) {
    auto gradient = at::zeros_like(x);
    for (std::int64_t first = 0; first + 1 < x.size(0); first += rows_at_once) {
        const std::int64_t rows = std::min(rows_at_once, x.size(0) - 1 - first);
        std::vector<float> weight;
        for (std::int64_t t = first + 1; t <= first + rows; ++t) weight.push_back(counted[std::size_t(t)] ? float(1 / total) : 0);
        const auto targets = at::tensor(at::ArrayRef<std::int64_t>(ids.data() + first + 1, std::size_t(rows)), at::kLong);
        const auto leaf = x.narrow(0, first, rows).detach().clone().requires_grad_();
        const auto logits = decoder.logits(leaf);  // [n, V]
        const auto nll = at::logsumexp(logits, {1}) - logits.gather(1, targets.unsqueeze(1)).squeeze(1);
        (nll * at::tensor(weight)).sum().backward();
        gradient.narrow(0, first, rows).copy_(leaf.grad());
    }
    return gradient;
}

/// Makes every weight a leaf of the graph.
std::vector<WeightGradient> leaves(const LayerNames& n, LayerWeights& w) {
    const std::vector<std::pair<std::string, at::Tensor*>> all{{n.attention_norm, &w.attention_norm},
                                                               {n.attention_post_norm, &w.attention_post_norm},
                                                               {n.mlp_norm, &w.mlp_norm},
                                                               {n.mlp_post_norm, &w.mlp_post_norm},
                                                               {n.q_norm, &w.q_norm},
                                                               {n.k_norm, &w.k_norm},
                                                               {n.qkv, &w.qkv.weight},
                                                               {n.q, &w.q.weight},
                                                               {n.k, &w.k.weight},
                                                               {n.v, &w.v.weight},
                                                               {n.o, &w.o.weight},
                                                               {n.gate_up, &w.gate_up.weight},
                                                               {n.gate, &w.gate.weight},
                                                               {n.up, &w.up.weight},
                                                               {n.down, &w.down.weight}};
    std::vector<WeightGradient> found;
    for (const auto& [name, tensor] : all)
        if (tensor->defined()) {
            *tensor = tensor->detach().requires_grad_();
            found.push_back({name + ".weight", *tensor});
        }
    return found;
}

/// x_0 … x_L of every window.
std::vector<std::vector<at::Tensor>> forward(const Decoder& decoder, const Windows& windows, Progress& progress) {
    const int layers = decoder.architecture().layers;
    std::vector<std::vector<at::Tensor>> states(std::size_t(layers) + 1);  // [L + 1][W] of [T, C]
    for (const auto& ids : windows.ids) states[0].push_back(decoder.embed(ids));
    for (int layer = 0; layer < layers; ++layer) {
        const LayerWeights weights = decoder.load(layer);
        for (std::size_t w = 0; w < windows.ids.size(); ++w) {
            states[std::size_t(layer) + 1].push_back(decoder.run(weights, states[std::size_t(layer)][w]));
            require_finite(states[std::size_t(layer) + 1][w], "layer " + std::to_string(layer), std::int64_t(w));
        }
        decoder.release(layer);
        progress.step();
    }
    return states;
}

std::size_t longest_window(const Windows& windows) {
    std::size_t tokens = 0;
    for (const auto& ids : windows.ids) tokens = std::max(tokens, ids.size());
    return tokens;
}

}  // namespace

void walk_backwards(const Decoder& decoder, const Windows& windows, Progress& progress,
                    const std::function<void(int, const std::vector<WeightGradient>&)>& visit) {
    const int layers = decoder.architecture().layers;
    auto states = forward(decoder, windows, progress);
    double total = 0;
    for (const auto& counted : windows.counted) total += double(std::count(counted.begin() + 1, counted.end(), true));
    std::vector<at::Tensor> gradient;  // dL/dx of the point reached, per window
    for (std::size_t w = 0; w < windows.ids.size(); ++w) {
        gradient.push_back(head_gradient(decoder, states.back()[w], windows.ids[w], windows.counted[w], total));
        progress.check();
    }
    for (int layer = layers - 1; layer >= 0; --layer) {
        states.pop_back();
        LayerWeights weights = decoder.load(layer);
        auto found = leaves(decoder.architecture().names, weights);
        for (std::size_t w = 0; w < windows.ids.size(); ++w) {
            const auto x = states.back()[w].detach().requires_grad_();  // [T, C]
            decoder.run(weights, x).backward(gradient[w]);
            gradient[w] = x.grad();
            progress.check();
        }
        for (WeightGradient& one : found) {
            one.gradient = one.weight.grad();
            one.weight = one.weight.detach();
            if (one.weight.dim() == 1 && decoder.architecture().norm_plus_one) one.weight = one.weight - 1;
        }
        visit(layer, found);
        decoder.release(layer);
        progress.step();
    }
}

MemoryEstimate estimate_backwards(const Model& model, const Windows& windows, const ComputeSettings& compute) {
    const Architecture& a = model.architecture();
    ComputeSettings wide = compute;
    wide.dtype = "float32";
    const auto tokens = std::int64_t(longest_window(windows));
    MemoryEstimate estimate = estimate_memory(model, wide, tokens, 1, 1);
    std::int64_t layer = 0;
    for (int l = 0; l < a.layers; ++l) layer = std::max(layer, model.layer_parameters(l));
    const std::int64_t graph = tokens * (12 * a.hidden + 6 * a.intermediate + 6 * a.heads * a.head_dim) + 2 * a.heads * tokens * tokens;
    const std::int64_t head = 4 * rows_at_once * a.vocabulary;
    const std::int64_t states = (a.layers + 2) * windows.tokens() * a.hidden;
    estimate.resident += std::uint64_t(4 * (layer + states + std::max(graph, head)));
    estimate.windows_per_group = std::int64_t(windows.ids.size());
    return estimate;
}

}  // namespace suture
