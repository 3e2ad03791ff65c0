// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/token_losses.h"

#include "core/base/error.h"
#include "core/evaluation/internal/walk.h"

namespace suture {

std::vector<std::vector<double>> token_losses(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                              std::span<const std::int64_t> ids, const ComputeSettings& compute, Progress& progress) {
    if (ids.size() < 2) throw usage_error("a text of one token predicts nothing; give a longer one");
    const c10::InferenceMode no_gradients;
    std::vector<Plan> plans;
    for (const Variant& variant : variants) plans.push_back(variant.steps(model->architecture().layers));
    const Decoder decoder(model, compute);
    TokenProgress tokens(progress, "Scoring the text", std::int64_t(ids.size()), distinct_layer_passes(plans));
    const auto targets = at::tensor(at::ArrayRef<std::int64_t>(ids.data() + 1, ids.size() - 1), at::kLong);  // [T-1]
    std::vector<std::vector<double>> losses(variants.size());
    walk_plans(decoder, plans, {decoder.embed(ids)}, 0, tokens,
               [&](const std::vector<at::Tensor>& states, const std::vector<std::size_t>& equal) {
                   const auto nll = decoder.nll(states[0].narrow(0, 0, states[0].size(0) - 1), targets).contiguous();  // [T-1] float64
                   const double* first = nll.const_data_ptr<double>();
                   for (const std::size_t v : equal) losses[v].assign(first, first + nll.numel());
               });
    return losses;
}

}  // namespace suture
