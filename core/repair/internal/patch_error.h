// SPDX-License-Identifier: GPL-3.0-or-later
// How good a map is at its seam, and what it looks like.
#pragma once

#include "core/repair/internal/seam_statistics.h"
#include "core/repair/repair.h"

namespace suture {

/// ‖X·P − Y‖_F / ‖X − Y‖_F over all calibration tokens, exact from the sums. NaN for a dense P without a Gram matrix.
double frobenius_error(const StreamMap& map, const SeamStatistics& seam);

/// Median over the sampled tokens of ‖x_s·P − x_e‖ / ‖x_s − x_e‖ in the dense model. NaN without a sample.
double median_error(const StreamMap& map, const Statistics& statistics, Seam seam);

/// Fills trace, frobenius and row0 from the patch's map.
void describe_matrix(Patch& patch, std::int64_t hidden);

}  // namespace suture
