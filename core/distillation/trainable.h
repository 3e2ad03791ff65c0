// SPDX-License-Identifier: GPL-3.0-or-later
// What can be known of a fine-tuning run before there is a repair to train.
#pragma once

#include <string>

#include "core/distillation/distil.h"

namespace suture {

/// Throws a usage Error naming the setting that makes no sense.
void check_settings(const DistilSettings& settings);

/// Why `train` (as DistilSettings has it) names nothing that a repair of this kind has, in one sentence; empty: it has.
std::string training_refusal(const std::string& kind, const std::string& train);

}  // namespace suture
