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

std::string too_few(const Windows& windows, const DistilSettings& settings) {
    const auto count = std::int64_t(windows.ids.size());
    if (count > settings.validation) return {};
    return windows.source + ": " + std::to_string(count) + " windows are too few to train on and to validate with " +
           std::to_string(settings.validation) + "; take more windows";
}

/// Multiplied weights of one layer.
std::int64_t layer_weights(const Architecture& a) { return a.hidden * (2 * a.head_dim * (a.heads + a.kv_heads) + 3 * a.intermediate); }

/// Kept layers from the one in front of the first seam on.
std::int64_t trained_through(const Model& model, const LayerSet& removed) {
    const int layers = model.architecture().layers;
    if (removed.empty()) return layers;
    const LayerSet kept = removed.complement(layers);
    return std::count_if(kept.layers().begin(), kept.layers().end(), [&](int layer) { return layer >= removed.layers().front() - 1; });
}

std::uint64_t working_memory(const Model& model, const LayerSet& removed, const Windows& windows, const DistilSettings& settings) {
    const Architecture& a = model.architecture();
    std::size_t longest = 0;
    for (const auto& ids : windows.ids) longest = std::max(longest, ids.size());
    const std::int64_t rows = std::int64_t(longest) * std::min(settings.batch, std::int64_t(windows.ids.size()));
    const std::int64_t through = trained_through(model, removed);
    const std::int64_t k = std::min(settings.top_k, a.vocabulary);
    std::int64_t values = rows * (8 * a.hidden + 4 * a.intermediate) * through + layer_weights(a) * through + a.vocabulary * a.hidden;
    if (settings.target == "renormalised") values += 2 * rows * k * a.hidden;
    return std::uint64_t(values) * 4 + std::uint64_t(windows.tokens() * k) * 12;
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
         "fitted: the repair fitted without the validation windows; identity or random: maps that know nothing yet",
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
        if (!start.variant.removed().empty()) cost.parameters = layer_weights(a) * trained_through(model, start.variant.removed());
    } else if (settings.train != "down") {
        for (const auto& [layer, map] : start.variant.maps()) {
            cost.parameters += std::int64_t(map->bias.data.size());
            switch (trained_as(*map, settings.train)) {
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
    }
    if (settings.train == "down" || settings.train == "auto")
        cost.parameters += std::int64_t(start.variant.edits().size()) * a.hidden * a.intermediate;
    cost.weights = std::uint64_t(cost.parameters) * 6 * 4;
    cost.working = working_memory(model, start.variant.removed(), windows, settings);
    return cost;
}

std::string training_problem(const Model& model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
                             const ComputeSettings& compute) {
    if (const std::string problem = too_few(windows, settings); !problem.empty()) return problem;
    const DistilCost cost = distil_cost(model, start, windows, settings);
    if (double(cost.memory()) <= compute.memory * 1e9) return {};
    char text[320];
    std::snprintf(text, sizeof text,
                  "fine-tuning on %zu windows keeps %.1f GB of states, %.1f GB for what is trained and about %.1f GB for a step in memory, "
                  "and --memory allows %g; take fewer windows or a smaller batch",
                  windows.ids.size(), double(cost.states) / 1e9, double(cost.weights) / 1e9, double(cost.working) / 1e9, compute.memory);
    return text;
}

Windows training_windows(const Windows& windows, const DistilSettings& settings) {
    if (const std::string problem = too_few(windows, settings); !problem.empty()) throw Error(problem);
    const auto count = std::int64_t(windows.ids.size());
    Windows part = windows;
    part.ids.resize(std::size_t(count - settings.validation));
    part.counted.resize(part.ids.size());
    part.settings.windows = std::int64_t(part.ids.size());
    return part;
}

Distilled distil(std::shared_ptr<const Model> model, const Repaired& start, const Windows& windows, const DistilSettings& settings,
                 const ComputeSettings& compute, Store& store, Progress& progress, const std::function<void(const DistilPoint&)>& watch) {
    check_settings(settings);
    if (const std::string problem = training_problem(*model, start, windows, settings, compute); !problem.empty()) throw Error(problem);
    const Decoder decoder(model, compute);
    Student student(decoder, start, settings);
    const Teacher teacher = teach(decoder, windows, settings.top_k, compute, store, progress);
    auto states = states_in_front(decoder, student.prefix(), windows, progress);
    Distilled result = Training(decoder, student, teacher, std::move(states), settings).run(progress, watch);
    result.repaired.settings["finetuned"] = result.to_json();
    result.repaired.settings["finetuned"].update(settings_to_json(settings));
    result.repaired.settings["finetuned"]["seed"] = settings.seed;
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
