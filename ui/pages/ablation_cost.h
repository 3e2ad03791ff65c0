// SPDX-License-Identifier: GPL-3.0-or-later
// What an ablation will take, before it is run.
#pragma once

#include "core/study/ablation.h"
#include "ui/session/results.h"

namespace suture {

/// About how many seconds at the speed that the forecast of `model`'s calibration rests on, fine-tuning and criteria that run the model
/// not counted; negative when there is none to go by.
double ablation_seconds(const AblationSpec& spec, const AblationPlan& plan, const Model& model, const Forecast* forecast);

/// "61 rows on 2 texts: 2 models × (dense + 3 calibrations × 2 choices of layers × 5 repairs)", and what the seconds leave out.
QString ablation_words(const AblationSpec& spec);

}  // namespace suture
