// SPDX-License-Identifier: GPL-3.0-or-later
// About how long a measurement will take, at the speed that the forecast of the calibration rests on. Negative: there is none to go by.
#pragma once

#include <cstdint>

#include "core/generation/sampling.h"
#include "core/model/model.h"
#include "ui/session/results.h"

namespace suture {

/// Of the evaluation text, in windows.
struct EvaluationSize {
    std::int64_t windows = 0, tokens = 0;
};

/// Seconds to score `tokens` with the dense model and the document's repairs.
double evaluation_seconds(const Model& model, const Document& document, std::int64_t tokens, const Forecast* forecast);

/// The same of the document's speed measurement. Decoding is taken to be bound by reading the weights.
double speed_seconds(const Model& model, const Document& document, const Forecast* forecast);

/// The same of the document's comparison across texts, were they all as long as the windows allow; negative when that is unknown, too.
double domain_seconds(const Model& model, const Document& document, const Forecast* forecast);

/// The same of trying repairs on the calibration text.
double recommendation_seconds(const Model& model, const Document& document, const TrialSettings& trials, const Forecast* forecast);

/// The same of continuing prompts of `prompt_bytes` together, were each as long as the settings allow.
double generation_seconds(const Model& model, const Document& document, const GenerationSettings& settings, std::int64_t prompts,
                          std::int64_t prompt_bytes, const Forecast* forecast);

}  // namespace suture
