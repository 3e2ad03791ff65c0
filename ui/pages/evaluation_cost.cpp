// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluation_cost.h"

#include "ui/session/recipe_jobs.h"

namespace suture {

double evaluation_operations(const Model& model, const LayerSet& removed, std::size_t variants, std::int64_t tokens) {
    const Architecture& a = model.architecture();
    double dense = 0, behind_first_seam = 0;
    for (int layer = 0; layer < a.layers; ++layer) {
        const auto parameters = double(model.layer_parameters(layer));
        dense += parameters;
        if (!removed.empty() && layer > removed.layers().front() && !removed.contains(layer)) behind_first_seam += parameters;
    }
    const double head = double(a.vocabulary) * double(a.hidden);
    const double others = removed.empty() ? 0 : double(variants) * (behind_first_seam + head);
    return 2 * double(tokens) * (dense + head + others);
}

double evaluation_seconds(const Model& model, const Document& document, const EvaluationSize& size, const Forecast* forecast) {
    if (!forecast || forecast->seconds <= 0) return -1;
    const double speed = calibration_operations(model, forecast->tokens) / forecast->seconds;
    return evaluation_operations(model, document.removed, document.repairs.size(), size.tokens) / speed;
}

double speed_seconds(const Model& model, const Document& document, const Forecast* forecast) {
    constexpr double bytes_per_second = 10e9, bytes_per_parameter = 4;
    if (!forecast || forecast->seconds <= 0) return -1;
    const SpeedSettings& settings = document.measures.speed;
    const double variants = 1 + (document.removed.empty() ? 0 : double(document.repairs.size()));
    const double prefill = evaluation_seconds(model, document, {0, settings.prompt_tokens}, forecast);
    const double decode = double(settings.decode_tokens) * double(model.parameters()) * bytes_per_parameter / bytes_per_second;
    return double(settings.repeats + 1) * (prefill + variants * decode);
}

double domain_seconds(const Model& model, const Document& document, const Forecast* forecast) {
    const auto fitted = document.settings.windows.windows, measured = document.measures.domains.windows;
    if (!forecast || forecast->seconds <= 0 || fitted == 0 || measured == 0) return -1;
    const double speed = calibration_operations(model, forecast->tokens) / forecast->seconds;
    const auto seqlen = document.settings.windows.seqlen;
    const std::size_t texts = document.measures.domains.texts.size();
    return double(texts) *
           (calibration_operations(model, fitted * seqlen) + evaluation_operations(model, document.removed, texts + 1, measured * seqlen)) /
           speed;
}

}  // namespace suture
