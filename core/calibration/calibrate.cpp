// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibration/calibrate.h"

#include "core/base/error.h"
#include "core/calibration/internal/extremes.h"
#include "core/model/internal/decoder.h"
#include "core/model/internal/token_progress.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

constexpr int format = 1;  // part of the key: raised when what is stored changes its meaning

/// Longest window, tokens.
std::int64_t longest(const Windows& windows) {
    std::size_t tokens = 0;
    for (const auto& ids : windows.ids) tokens = std::max(tokens, ids.size());
    return std::int64_t(tokens);
}

Statistics empty_statistics(const Model& model, const Windows& windows, const CalibrationSettings& settings,
                            const ComputeSettings& compute) {
    Statistics s;
    s.layers = model.architecture().layers;
    s.hidden = model.architecture().hidden;
    s.hadamard = Hadamard::of_size(s.hidden).description();
    for (std::size_t w = 0; w < windows.ids.size(); ++w) {
        s.window_begin.push_back(s.tokens());
        s.ids.insert(s.ids.end(), windows.ids[w].begin(), windows.ids[w].end());
        s.counted.insert(s.counted.end(), windows.counted[w].begin(), windows.counted[w].end());
    }
    s.window_begin.push_back(s.tokens());
    if (s.counted_tokens() == 0)
        throw Error(windows.source + ": no token is left to calibrate on; the settings skip-first and mask leave all of them out");
    s.conditions = windows.conditions();
    s.conditions.update({{"model", model.identity()}, {"dtype", compute.dtype}});
    s.conditions.update(settings_to_json(settings));
    return s;
}

at::Tensor counted_positions(const Statistics& s, std::int64_t window) {
    std::vector<std::int64_t> positions;
    for (std::int64_t t = s.window_begin[std::size_t(window)]; t < s.window_begin[std::size_t(window) + 1]; ++t)
        if (s.counted[std::size_t(t)]) positions.push_back(t - s.window_begin[std::size_t(window)]);
    return at::tensor(positions, at::kLong);
}

/// States at all points of the windows first … first+count-1: one tensor [P, T, C] each. Every layer is read once.
std::vector<at::Tensor> run_group(const Decoder& decoder, const Windows& windows, std::int64_t first, std::int64_t count,
                                  TokenProgress& progress) {
    const int layers = decoder.architecture().layers;
    std::vector<at::Tensor> states;
    for (std::int64_t w = 0; w < count; ++w) {
        const auto x = decoder.embed(windows.ids[std::size_t(first + w)]);  // [T, C]
        states.push_back(at::empty({layers + 1, x.size(0), x.size(1)}, at::kFloat));
        states.back()[0].copy_(x);
    }
    for (int layer = 0; layer < layers; ++layer) {
        const LayerWeights weights = decoder.load(layer);
        for (std::int64_t w = 0; w < count; ++w) {
            at::Tensor& points = states[std::size_t(w)];
            points[layer + 1].copy_(decoder.run(weights, points[layer]));
            require_finite(points[layer + 1], "layer " + std::to_string(layer), first + w);
            progress.layer_done(points.size(1));
        }
        decoder.release(layer);
    }
    return states;
}

}  // namespace

Statistics calibrate(std::shared_ptr<const Model> model, const Windows& windows, const CalibrationSettings& settings,
                     const ComputeSettings& compute, Progress& progress) {
    const c10::InferenceMode no_gradients;
    Statistics statistics = empty_statistics(*model, windows, settings, compute);
    std::vector<std::unique_ptr<Observer>> observers;
    for (const ObserverKind* kind : all_observers()) observers.push_back(kind->make(statistics, settings));
    const Decoder decoder(model, compute);
    const Hadamard& hadamard = Hadamard::of_size(statistics.hidden);
    const std::int64_t group = estimate_calibration(*model, windows, compute).windows_per_group;
    TokenProgress tokens(progress, "Calibrating", statistics.tokens(), statistics.layers);
    for (std::int64_t first = 0; first < statistics.windows(); first += group) {
        auto states = run_group(decoder, windows, first, std::min(group, statistics.windows() - first), tokens);
        for (std::size_t i = 0; i < states.size(); ++i) {
            progress.check();
            const auto window = first + std::int64_t(i);
            const at::Tensor counted = counted_positions(statistics, window);
            if (counted.size(0) == 0) continue;
            const WindowStates seen{window,
                                    statistics.window_begin[std::size_t(window)],
                                    windows.ids[std::size_t(window)],
                                    counted,
                                    {states[i], hadamard.apply(states[i])}};
            for (auto& observer : observers) observer->observe(seen);
            states[i] = at::Tensor();  // dropped as soon as it is reduced
        }
    }
    for (auto& observer : observers) observer->finish(statistics);
    statistics.extreme_channels = extreme_channels_of(statistics, settings.extreme_channel);
    statistics.conditions["content_sha256"] = model->tensors().content_hash(progress);  // the pages were just read
    return statistics;
}

MemoryEstimate estimate_calibration(const Model& model, const Windows& windows, const ComputeSettings& compute) {
    return estimate_memory(model, compute, longest(windows), std::int64_t(windows.ids.size()), 2 * (model.architecture().layers + 1));
}

Key calibration_key(const Model& model, const Windows& windows, const CalibrationSettings& settings, const ComputeSettings& compute) {
    return Key::of({{"what", "calibration"},
                    {"format", format},
                    {"model", model.fingerprint()},
                    {"text", windows.conditions()},
                    {"settings", settings_to_json(settings)},
                    {"dtype", compute.dtype}});
}

}  // namespace suture
