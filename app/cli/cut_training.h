// SPDX-License-Identifier: GPL-3.0-or-later
// Fine-tuning of what a cut was repaired with.
#pragma once

#include <string>
#include <vector>

#include "app/cli/cut.h"

namespace suture::cli {

/// Throws a usage Error naming a setting that one of the repairs named can do nothing with.
void check_training(const std::string& command, const std::vector<std::string>& kinds, const DistilSettings& settings);

/// Trains every fitted repair of the cut and adds what came of each behind them, as finetuned_name(). An interrupt ends the training and
/// not the command, once something was trained. Throws Error, before anything is trained, where one of them can't be.
void finetune(Cut& cut, const JobSettings& job, const Common& common, const Study& study, Progress& progress);

}  // namespace suture::cli
