// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/generation/speed.h"

#include <chrono>
#include <random>

#include "core/base/error.h"
#include "core/generation/internal/continuation.h"

namespace suture {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void check(const SpeedSettings& s) {
    if (s.prompt_tokens < 1 || s.decode_tokens < 1 || s.repeats < 1)
        throw usage_error("speed: --prompt-tokens, --decode-tokens and --repeats must be at least 1");
}

/// Any ids do: what a pass costs does not depend on them.
std::vector<std::int64_t> some_ids(std::int64_t count, std::int64_t vocabulary) {
    std::mt19937_64 random(0);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(std::int64_t(random() % std::uint64_t(vocabulary)));
    return ids;
}

/// One prompt and the tokens behind it. `into` null: to warm up.
void measure(Continuation& continuation, std::span<const std::int64_t> prompt, std::span<const std::int64_t> rest, VariantSpeed* into,
             Progress& progress) {
    continuation.restart();
    auto begin = Clock::now();
    continuation.read(prompt, &progress);
    const double prefill = seconds_since(begin);
    progress.check();
    begin = Clock::now();
    for (std::size_t i = 0; i < rest.size(); ++i) continuation.read(rest.subspan(i, 1));
    const double decode = seconds_since(begin) / double(rest.size());
    continuation.restart();
    if (into) {
        into->prefill.samples.push_back(prefill);
        into->decode.samples.push_back(decode);
    }
    progress.step();
}

nlohmann::json to_json(const Timing& timing) {
    return {{"median", timing.median()}, {"low", timing.quantile(0.25)}, {"high", timing.quantile(0.75)}, {"samples", timing.samples}};
}

}  // namespace

const std::vector<Setting<SpeedSettings>>& SpeedSettings::fields() {
    using S = SpeedSettings;
    static const std::vector<Setting<S>> list{
        {"prompt-tokens", "Prompt", "Tokens read at once (prefill).", &S::prompt_tokens, {}},
        {"decode-tokens", "New tokens", "Tokens read one by one behind the prompt (decode).", &S::decode_tokens, {}},
        {"repeats", "Rounds", "Rounds in which every variant is measured once.", &S::repeats, {}}};
    return list;
}

double Timing::quantile(double q) const {
    auto sorted = samples;
    std::ranges::sort(sorted);
    const double at = q * double(sorted.size() - 1);
    const auto below = std::size_t(at);
    const double above = below + 1 < sorted.size() ? sorted[below + 1] : sorted[below];
    return sorted[below] + (at - double(below)) * (above - sorted[below]);
}

VariantSize variant_size(const Model& model, const Variant& variant) {
    const Architecture& a = model.architecture();
    VariantSize size{a.layers - variant.removed().size(), model.parameters(), model.bytes(), 0};
    size.kv_bytes_per_token = model.kv_cache_bytes_per_token(size.layers);
    for (const int layer : variant.removed().layers())
        for (const auto& info : model.tensors().tensors())
            if (info.name.starts_with(a.layer_tensor(layer, ""))) {
                size.parameters -= info.elements();
                size.bytes -= info.bytes;
            }
    for (const auto& [layer, map] : variant.maps()) {
        const bool matrix = map->hadamard || !map->matrix.empty();  // written out as P
        const auto values = std::int64_t(map->scale.data.size() + map->left.data.size() + map->right.data.size() + map->bias.data.size()) +
                            (matrix ? a.hidden * a.hidden : 0);
        size.parameters += values;
        size.bytes += std::uint64_t(values) * sizeof(float);
    }
    return size;
}

double SpeedComparison::prefill_speedup(std::size_t variant) const {
    return variants[0].prefill.median() / variants[variant].prefill.median();
}

double SpeedComparison::decode_speedup(std::size_t variant) const {
    return variants[0].decode.median() / variants[variant].decode.median();
}

nlohmann::json SpeedComparison::to_json() const {
    auto list = nlohmann::json::array();
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const VariantSpeed& own = variants[v];
        list.push_back({{"prefill_seconds", suture::to_json(own.prefill)},
                        {"decode_seconds_per_token", suture::to_json(own.decode)},
                        {"prefill_speedup", prefill_speedup(v)},
                        {"decode_speedup", decode_speedup(v)},
                        {"layers", own.size.layers},
                        {"parameters", own.size.parameters},
                        {"bytes", own.size.bytes},
                        {"kv_bytes_per_token", own.size.kv_bytes_per_token}});
    }
    return {{"variants", std::move(list)}, {"conditions", conditions}};
}

SpeedComparison measure_speed(std::shared_ptr<const Model> model, std::span<const Variant> variants, const SpeedSettings& settings,
                              const ComputeSettings& compute, Progress& progress) {
    check(settings);
    const Decoder decoder(model, compute);
    LoadedLayers layers(decoder, compute);
    std::vector<Continuation> continuations;
    SpeedComparison result;
    auto plans = nlohmann::json::array();
    for (const Variant& variant : variants) {
        continuations.emplace_back(decoder, layers, variant.steps(model->architecture().layers));
        result.variants.push_back({{}, {}, variant_size(*model, variant)});
        plans.push_back(variant.to_json());
    }
    result.conditions = settings_to_json(settings);
    result.conditions.update({{"model", model->identity()},
                              {"variants", std::move(plans)},
                              {"dtype", compute.dtype},
                              {"threads", at::get_num_threads()},
                              {"weights_in_memory", std::ranges::all_of(continuations, &Continuation::resident)}});
    const auto ids = some_ids(settings.prompt_tokens + settings.decode_tokens, model->architecture().vocabulary);
    const auto prompt = std::span(ids).first(std::size_t(settings.prompt_tokens)), rest = std::span(ids).subspan(prompt.size());
    const std::size_t count = continuations.size();
    progress.begin("Measuring speed", std::int64_t(count) * (settings.repeats + 1), "runs");
    for (std::int64_t round = 0; round <= settings.repeats; ++round)
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t v = round % 2 == 0 ? i : count - 1 - i;
            measure(continuations[v], prompt, rest, round == 0 ? nullptr : &result.variants[v], progress);
        }
    return result;
}

}  // namespace suture
