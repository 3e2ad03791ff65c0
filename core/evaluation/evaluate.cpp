// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/evaluation/evaluation.h"
#include "core/evaluation/internal/walk.h"

namespace suture {
namespace {

/// Runs one group of windows through all plans.
class Group {
public:
    Group(const Decoder& decoder, const std::vector<Plan>& plans, const Windows& windows, std::int64_t first, std::int64_t logits,
          std::vector<Evaluation>& results, TokenProgress& progress)
        : decoder_(decoder), plans_(plans), windows_(windows), first_(first), logits_(logits), results_(results), progress_(progress) {}

    void run(std::int64_t count) {
        std::vector<at::Tensor> states;  // one [T, C] per window
        for (std::int64_t w = 0; w < count; ++w) states.push_back(decoder_.embed(windows_.ids[std::size_t(first_ + w)]));
        walk_plans(decoder_, plans_, std::move(states), first_, progress_,
                   [this](const auto& at_end, const auto& plans) { score(at_end, plans); });
    }

private:
    /// The head reads its matrix once for all windows of the group.
    void score(const std::vector<at::Tensor>& states, const std::vector<std::size_t>& plans) {
        std::vector<at::Tensor> rows, targets;
        for (std::size_t w = 0; w < states.size(); ++w) {
            const auto& ids = windows_.ids[std::size_t(first_) + w];
            rows.push_back(states[w].narrow(0, 0, states[w].size(0) - 1));                                         // [T-1, C]
            targets.push_back(at::tensor(at::ArrayRef<std::int64_t>(ids.data() + 1, ids.size() - 1), at::kLong));  // [T-1]
        }
        const auto nll = decoder_.nll(at::cat(rows), at::cat(targets)).contiguous();  // [Σ(T-1)] float64
        const double* value = nll.const_data_ptr<double>();
        for (std::size_t w = 0; w < states.size(); ++w) {
            const auto& counted = windows_.counted[std::size_t(first_) + w];
            WindowScore score;
            for (std::size_t t = 1; t < counted.size(); ++t, ++value)
                if (counted[t]) {
                    score.nll_sum += *value;
                    ++score.tokens;
                }
            for (const std::size_t p : plans) results_[p].windows.push_back(score);
            if (logits_ > 0) keep_logits(states[w], first_ + std::int64_t(w), plans);
        }
    }

    void keep_logits(const at::Tensor& state, std::int64_t window, const std::vector<std::size_t>& plans) {
        const std::int64_t positions = std::min(logits_, state.size(0));
        const auto logits = decoder_.logits(state.narrow(0, 0, positions)).contiguous();  // [N, V]
        for (const std::size_t p : plans)
            std::copy_n(logits.const_data_ptr<float>(), logits.numel(), results_[p].logits.row(window).data());
    }

    const Decoder& decoder_;
    const std::vector<Plan>& plans_;
    const Windows& windows_;
    std::int64_t first_, logits_;
    std::vector<Evaluation>& results_;
    TokenProgress& progress_;
};

nlohmann::json conditions_of(const Model& model, const Variant& variant, const Windows& windows, const ComputeSettings& compute) {
    auto conditions = windows.conditions();
    conditions.update({{"model", model.identity()}, {"dtype", compute.dtype}, {"variant", variant.to_json()}});
    return conditions;
}

std::size_t longest(const Windows& windows) {
    std::size_t tokens = 0;
    for (const auto& ids : windows.ids) tokens = std::max(tokens, ids.size());
    return tokens;
}

}  // namespace

std::vector<Evaluation> evaluate(std::shared_ptr<const Model> model, std::span<const Variant> variants, const Windows& windows,
                                 const ComputeSettings& compute, std::int64_t logits, Progress& progress) {
    const c10::InferenceMode no_gradients;
    if (windows.settings.seqlen == 1 && windows.source != "token ids")
        throw usage_error("--seqlen 1: a window of one token predicts nothing; give at least 2");
    for (const auto& ids : windows.ids)
        if (ids.size() < 2) throw Error(windows.source + ": a window of one token predicts nothing; give a longer text");
    const auto count = std::int64_t(windows.ids.size());
    std::vector<Plan> plans;
    std::vector<Evaluation> results(variants.size());
    for (std::size_t v = 0; v < variants.size(); ++v) {
        plans.push_back(variants[v].steps(model->architecture().layers));
        results[v].conditions = conditions_of(*model, variants[v], windows, compute);
        if (logits > 0)
            results[v].logits = Array<float>({count, std::min(logits, std::int64_t(longest(windows))), model->architecture().vocabulary});
    }
    const Decoder decoder(model, compute);
    const std::int64_t group = estimate_evaluation(*model, variants.size(), windows, compute).windows_per_group;
    TokenProgress tokens(progress, "Evaluating", windows.tokens(), distinct_layer_passes(plans));
    for (std::int64_t first = 0; first < count; first += group)
        Group(decoder, plans, windows, first, logits, results, tokens).run(std::min(group, count - first));
    for (const Evaluation& result : results)
        if (result.tokens() == 0)
            throw Error(windows.source + ": no token is left to score; the settings skip-first and mask leave all of them out");
    return results;
}

MemoryEstimate estimate_evaluation(const Model& model, std::size_t variants, const Windows& windows, const ComputeSettings& compute) {
    return estimate_memory(model, compute, std::int64_t(longest(windows)), std::int64_t(windows.ids.size()), std::int64_t(variants) + 1);
}

Key evaluation_key(const Model& model, const Variant& variant, const Windows& windows, const ComputeSettings& compute,
                   std::int64_t logits) {
    return Key::of({{"what", "evaluation"},
                    {"model", model.fingerprint()},
                    {"variant", variant.to_json()},
                    {"text", windows.conditions()},
                    {"dtype", compute.dtype},
                    {"logits", logits}});
}

}  // namespace suture
