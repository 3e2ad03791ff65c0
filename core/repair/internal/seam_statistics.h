// SPDX-License-Identifier: GPL-3.0-or-later
// Both sides of one seam, as sums over calibration tokens: all that a fit reads.
#pragma once

#include "core/calibration/statistics.h"
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/torch.h"
#include "core/text/windows.h"

namespace suture {

/// X = x_s (given), Y = x_e (expected), rows are tokens. Basis 0 is the stream, 1 is the stream times H. Everything float64.
struct SeamStatistics {
    at::Tensor abs_given[2], abs_expected[2];        // [W, C] Σ|x| per window
    at::Tensor square_given[2], square_expected[2];  // [C] Σx²
    at::Tensor product[2];                           // [C] Σ x_s·x_e
    double l2_given = 0, l2_expected = 0;            // mean token norms
    at::Tensor gram;                                 // [C, C] XᵀX; undefined unless asked for
    at::Tensor cross;                                // [C, C] Xᵀ(Y−X); undefined unless asked for

    std::int64_t hidden() const { return square_given[0].size(0); }
    /// ‖X − Y‖²_F
    double gap() const;
};

/// From the calibration pass: both sides from the dense model.
SeamStatistics dense_seam(const Statistics& statistics, Seam seam);

/// Runs the calibration windows again: the expected side through the dense model, the given side through `before`, a variant that is
/// complete up to the seam (dense for a dense fit). `gram` also collects the C × C matrices.
SeamStatistics observe_seam(const Decoder& decoder, const Variant& before, Seam seam, const Windows& windows, std::int64_t group, bool gram,
                            Progress& progress);

}  // namespace suture
