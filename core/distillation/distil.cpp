// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/distillation/distil.h"

#include <c10/core/GradMode.h>

#include "core/base/error.h"
#include "core/distillation/internal/training.h"
#include "core/distillation/trainable.h"

namespace suture {
namespace {

/// The stream in front of the student's first trained step, [T, C] per window.
std::vector<at::Tensor> states_in_front(const Decoder& decoder, const std::vector<Step>& prefix, const Windows& windows,
                                        Progress& progress) {
    const c10::NoGradGuard no_gradients;
    TokenProgress tokens(progress, "States in front of the seam", windows.tokens(), std::int64_t(prefix.size()));
    std::vector<at::Tensor> states;
    for (const auto& ids : windows.ids) states.push_back(decoder.embed(ids));
    for (const Step& step : prefix) advance(decoder, step, states, 0, tokens);
    return states;
}

void check(const Model& model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
           const ComputeSettings& compute) {
    check_settings(settings);
    training_windows(windows, settings);
    const DistilCost cost = distil_cost(model, start, windows, settings);
    const double bytes = double(cost.states + cost.weights);
    if (bytes > compute.memory * 1e9) {
        char text[240];
        std::snprintf(
            text, sizeof text,
            "fine-tuning on %lld windows keeps %.1f GB of states and %.1f GB for what is trained in memory, and --memory allows %g; "
            "take fewer windows",
            static_cast<long long>(windows.ids.size()), double(cost.states) / 1e9, double(cost.weights) / 1e9, compute.memory);
        throw Error(text);
    }
}

}  // namespace

const std::vector<Setting<DistilSettings>>& DistilSettings::fields() {
    using S = DistilSettings;
    static const std::vector<Setting<S>> list{
        {"ft-train",
         "Train",
         "what is trained: matrix (P in full), scale (c or d only), low-rank (two factors), down (edited down projections), layers (every "
         "projection from the layer in front of the first seam on); auto: what the repair is made of",
         &S::train,
         {"auto", "matrix", "scale", "low-rank", "down", "layers"}},
        {"ft-start",
         "Start from",
         "fitted: the repair as fitted; identity or random: maps that know nothing yet",
         &S::start,
         {"fitted", "identity", "random"}},
        {"ft-target",
         "Target",
         "teacher's distribution: renormalised over its top K, or with one bucket for the tail",
         &S::target,
         {"renormalised", "tail"}},
        {"ft-top-k", "Top K", "teacher's most probable tokens that are kept", &S::top_k, {}},
        {"ft-learning-rate", "Learning rate", "at its peak; cosine schedule with warm-up", &S::learning_rate, {}},
        {"ft-decay", "Decay", "decoupled decay towards the start value", &S::decay, {}},
        {"ft-clip", "Gradient norm", "gradients are scaled down to this norm; 0: no limit", &S::clip, {}},
        {"ft-epochs", "Epochs", "passes over the training windows", &S::epochs, {}},
        {"ft-batch", "Batch", "windows per step", &S::batch, {}},
        {"ft-minutes", "Minutes", "training time at most; 0: no limit", &S::minutes, {}},
        {"ft-validation", "Validation windows", "windows at the end of the text that are validated on", &S::validation, {}},
        {"ft-validate-every", "Validate every", "steps between validations", &S::validate_every, {}},
        {"ft-patience", "Patience", "validations without a new best before it stops; 0: never", &S::patience, {}},
    };
    return list;
}

DistilCost distil_cost(const Model& model, const Repaired& start, const Windows& windows, const DistilSettings& settings) {
    const Architecture& a = model.architecture();
    const auto tokens = std::uint64_t(windows.tokens());
    DistilCost cost{.teacher = tokens * std::uint64_t(std::min(settings.top_k, a.vocabulary)) * 8,
                    .states = tokens * std::uint64_t(a.hidden) * 4};
    if (settings.train == "layers") {
        const LayerSet& removed = start.variant.removed();
        const LayerSet kept = removed.complement(a.layers);
        const std::int64_t per_layer = a.hidden * (2 * a.head_dim * (a.heads + a.kv_heads) + 3 * a.intermediate);
        for (const int layer : kept.layers())
            if (!removed.layers().empty() && layer >= removed.layers().front() - 1) cost.parameters += per_layer;
    } else if (settings.train != "down") {
        for (const auto& [layer, map] : start.variant.maps()) switch (trained_as(*map, settings.train)) {
                case TrainedAs::Scale:
                    cost.parameters += std::int64_t(map->scale.data.size());
                    break;
                case TrainedAs::Factors:
                    cost.parameters += std::int64_t(2 * map->left.data.size());
                    break;
                case TrainedAs::Matrix:
                    cost.parameters += a.hidden * a.hidden;
                    break;
            }
    }
    if (settings.train == "down" || settings.train == "auto")
        cost.parameters += std::int64_t(start.variant.edits().size()) * a.hidden * a.intermediate;
    cost.weights = std::uint64_t(cost.parameters) * 6 * 4;
    return cost;
}

Windows training_windows(const Windows& windows, const DistilSettings& settings) {
    const auto count = std::int64_t(windows.ids.size());
    if (settings.validation < 1 || count < settings.validation + 1)
        throw Error(windows.source + ": " + std::to_string(count) + " windows are too few to train on and to validate with " +
                    std::to_string(settings.validation) + "; take more windows");
    Windows part = windows;
    part.ids.resize(std::size_t(count - settings.validation));
    part.counted.resize(part.ids.size());
    part.settings.windows = std::int64_t(part.ids.size());
    return part;
}

Distilled distil(std::shared_ptr<const Model> model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
                 const ComputeSettings& compute, Store& store, Progress& progress, const std::function<void(const DistilPoint&)>& watch) {
    check(*model, start, windows, settings, compute);
    const Decoder decoder(model, compute);
    Student student(decoder, start, settings);
    const Teacher teacher = teach(decoder, windows, settings.top_k, compute, store, progress);
    auto states = states_in_front(decoder, student.prefix(), windows, progress);
    Distilled result = Training(decoder, student, teacher, std::move(states), settings).run(progress, watch);
    result.repaired.settings["finetuned"] = result.to_json();
    result.repaired.settings["finetuned"].update(settings_to_json(settings));
    return result;
}

nlohmann::json Distilled::to_json() const {
    auto points = nlohmann::json::array();
    for (const DistilPoint& p : curve)
        points.push_back({{"step", p.step},
                          {"tokens", p.tokens},
                          {"seconds", p.seconds},
                          {"training", std::isnan(p.training) ? nlohmann::json() : nlohmann::json(p.training)},
                          {"validation", p.validation}});
    return {{"curve", points},
            {"best_step", curve.empty() ? 0 : curve[best].step},
            {"ended", ended},
            {"diverged", diverged},
            {"parameters", parameters}};
}

}  // namespace suture
