// SPDX-License-Identifier: GPL-3.0-or-later
// What the stages cost, in floating-point operations: divided by what a machine does in a second, about how long they take.
#pragma once

#include "core/model/model.h"
#include "core/repair/recommend.h"

namespace suture {

/// Of a calibration, with what the observers cost in the same unit.
double calibration_operations(const Model& model, std::int64_t tokens);

/// To score `tokens` with the dense model and with `variants` others that share it up to the first removed layer.
double evaluation_operations(const Model& model, const LayerSet& removed, std::size_t variants, std::int64_t tokens);

/// To try repairs of `removed` on a calibration text of `tokens`, as recommend_repair() does. Solving for the repairs is left
/// out: that is little beside running the model.
double recommendation_operations(const Model& model, const LayerSet& removed, const TrialSettings& trials, std::int64_t tokens);

}  // namespace suture
