// SPDX-License-Identifier: GPL-3.0-or-later
// The one pass over the calibration text.
#pragma once

#include <memory>

#include "core/base/progress.h"
#include "core/calibration/statistics.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/text/windows.h"

namespace suture {

/// Runs every window through the dense model once, layer by layer in groups sized by the memory limit, and lets the observers look
/// at each window's states at all points. Throws Cancelled; Error on values that are not finite, naming layer, window and token.
Statistics calibrate(std::shared_ptr<const Model> model, const Windows& windows, const CalibrationSettings& settings,
                     const ComputeSettings& compute, Progress& progress);

/// What calibrate() would take.
MemoryEstimate estimate_calibration(const Model& model, const Windows& windows, const ComputeSettings& compute);

/// Names the result of calibrate() by everything it depends on.
Key calibration_key(const Model& model, const Windows& windows, const CalibrationSettings& settings, const ComputeSettings& compute);

}  // namespace suture
