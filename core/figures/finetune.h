// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Repair, view "Fine-tuning": how far the repaired model is from the dense one while it is trained.
#pragma once

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/distillation/distil.h"

namespace suture {

/// KL divergence per token from the dense model on training and validation windows, the best validation marked. `seconds`: along
/// seconds instead of steps. `log_x`: a logarithmic x axis, on which the start has no place: it is a guide. A run that goes on may be
/// given as far as it has come. Null: empty, with a sentence.
Figure finetuning_curves(const Distilled* run, bool seconds, bool log_x);

/// Trained parameters, steps, tokens and time, KL at the start and at its best, learning rate, and why it ended. No rows without a run.
Table finetuning_facts(const Distilled* run);

/// "1.34 M parameters; 25 MB of the teacher's answers on disk, 0.11 GB of states in memory".
std::string cost_words(const DistilCost& cost);

}  // namespace suture
