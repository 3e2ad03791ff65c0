// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/internal/teacher.h"

#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

Key teacher_key(const Model& model, const Windows& windows, std::int64_t top_k, const ComputeSettings& compute) {
    return Key::of(
        {{"what", "teacher"}, {"model", model.fingerprint()}, {"text", windows.conditions()}, {"top_k", top_k}, {"dtype", compute.dtype}});
}

/// Adds one window's rows to the flat arrays. Token ids below 2²⁴ are exact in float32, which halves what they take on disk.
void append(Artefact& artefact, const at::Tensor& log_p, const at::Tensor& index) {
    const auto p = log_p.to(at::kFloat).contiguous(), ids = index.to(at::kFloat).contiguous();
    auto& values = artefact.floats["log_p"].data;
    auto& tokens = artefact.floats["index"].data;
    values.insert(values.end(), p.const_data_ptr<float>(), p.const_data_ptr<float>() + p.numel());
    tokens.insert(tokens.end(), ids.const_data_ptr<float>(), ids.const_data_ptr<float>() + ids.numel());
}

Artefact run_dense(const Decoder& decoder, const Windows& windows, std::int64_t k, const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    const int layers = decoder.architecture().layers;
    const auto count = std::int64_t(windows.ids.size());
    const std::int64_t group = estimate_memory(decoder.model(), compute, windows.tokens() / count + 1, count, 2).windows_per_group;
    TokenProgress tokens(progress, "Asking the dense model", windows.tokens(), layers);
    Artefact artefact;
    for (std::int64_t first = 0; first < count; first += group) {
        std::vector<at::Tensor> states;
        for (std::int64_t w = first; w < std::min(count, first + group); ++w) states.push_back(decoder.embed(windows.ids[std::size_t(w)]));
        for (const Step& step : Variant().steps(layers)) advance(decoder, step, states, first, tokens);
        for (const at::Tensor& x : states) {
            const auto [values, index] = at::topk(at::log_softmax(decoder.logits(x), -1), k);  // [T, K]
            append(artefact, values, index);
        }
    }
    const std::int64_t rows = windows.tokens();
    artefact.floats["log_p"].shape = artefact.floats["index"].shape = {rows, k};
    return artefact;
}

}  // namespace

Teacher teach(const Decoder& decoder, const Windows& windows, std::int64_t top_k, const ComputeSettings& compute, Store& store,
              Progress& progress) {
    const std::int64_t k = std::min(top_k, decoder.architecture().vocabulary);
    const Key key = teacher_key(decoder.model(), windows, k, compute);
    auto artefact = store.find(key);
    if (!artefact) artefact = store.put(key, run_dense(decoder, windows, k, compute, progress));
    const auto log_p = view_of(artefact->floats.at("log_p")).clone(), index = view_of(artefact->floats.at("index")).to(at::kLong);
    Teacher teacher;
    std::int64_t row = 0;
    for (const auto& ids : windows.ids) {
        teacher.log_p.push_back(log_p.narrow(0, row, std::int64_t(ids.size())));
        teacher.index.push_back(index.narrow(0, row, std::int64_t(ids.size())));
        row += std::int64_t(ids.size());
    }
    return teacher;
}

}  // namespace suture
