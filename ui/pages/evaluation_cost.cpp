// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluation_cost.h"

#include "core/study/cost.h"

namespace suture {
namespace {

/// Operations per second; negative when unknown.
double speed_of(const Model& model, const Forecast* forecast) {
    return forecast && forecast->seconds > 0 ? calibration_operations(model, forecast->tokens) / forecast->seconds : -1;
}

/// Tokens one by one: a token reads all weights.
double decode_seconds(const Model& model, double tokens) {
    constexpr double bytes_per_second = 10e9, bytes_per_parameter = 4;
    return tokens * double(model.parameters()) * bytes_per_parameter / bytes_per_second;
}

double variants_of(const Document& document) { return 1 + (document.removed.empty() ? 0 : double(document.repairs.size())); }

}  // namespace

double evaluation_seconds(const Model& model, const Document& document, std::int64_t tokens, const Forecast* forecast) {
    const double speed = speed_of(model, forecast);
    return speed > 0 ? evaluation_operations(model, document.removed, document.repairs.size(), tokens) / speed : -1;
}

double speed_seconds(const Model& model, const Document& document, const Forecast* forecast) {
    const SpeedSettings& settings = document.measures.speed;
    const double prefill = evaluation_seconds(model, document, settings.prompt_tokens, forecast);
    if (prefill < 0) return -1;
    return double(settings.repeats + 1) * (prefill + variants_of(document) * decode_seconds(model, double(settings.decode_tokens)));
}

double domain_seconds(const Model& model, const Document& document, const Forecast* forecast) {
    const auto fitted = document.settings.windows.windows, measured = document.measures.domains.windows;
    const double speed = speed_of(model, forecast);
    if (speed < 0 || fitted == 0 || measured == 0) return -1;
    const auto seqlen = document.settings.windows.seqlen;
    const std::size_t texts = document.measures.domains.texts.size();
    return double(texts) *
           (calibration_operations(model, fitted * seqlen) + evaluation_operations(model, document.removed, texts + 1, measured * seqlen)) /
           speed;
}

double recommendation_seconds(const Model& model, const Document& document, const TrialSettings& trials, const Forecast* forecast) {
    const double speed = speed_of(model, forecast);
    return speed > 0 ? recommendation_operations(model, document.removed, trials, forecast->tokens) / speed : -1;
}

double generation_seconds(const Model& model, const Document& document, const GenerationSettings& settings, std::int64_t prompts,
                          std::int64_t prompt_bytes, const Forecast* forecast) {
    constexpr std::int64_t bytes_per_token = 4;
    const double prefill = evaluation_seconds(model, document, prompt_bytes / bytes_per_token, forecast);
    if (prefill < 0) return -1;
    return prefill + variants_of(document) * decode_seconds(model, double(prompts * settings.max_tokens));
}

}  // namespace suture
