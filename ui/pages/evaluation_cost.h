// SPDX-License-Identifier: GPL-3.0-or-later
// About how long an evaluation will take.
#pragma once

#include <cstdint>

#include "core/model/model.h"
#include "ui/session/results.h"

namespace suture {

/// Of the evaluation text, in windows.
struct EvaluationSize {
    std::int64_t windows = 0, tokens = 0;
};

/// Floating-point operations to score `tokens` with the dense model and with `variants` others that share it up to the first removed layer.
double evaluation_operations(const Model& model, const LayerSet& removed, std::size_t variants, std::int64_t tokens);

/// Seconds, at the speed that the forecast of the calibration rests on; negative when there is none to go by.
double evaluation_seconds(const Model& model, const Document& document, const EvaluationSize& size, const Forecast* forecast);

/// The same of the document's speed measurement. Decoding is taken to be bound by reading the weights.
double speed_seconds(const Model& model, const Document& document, const Forecast* forecast);

/// The same of the document's comparison across texts, were they all as long as the windows allow; negative when that is unknown, too.
double domain_seconds(const Model& model, const Document& document, const Forecast* forecast);

}  // namespace suture
