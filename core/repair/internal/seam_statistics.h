// SPDX-License-Identifier: GPL-3.0-or-later
// Both sides of one seam, as sums over calibration tokens: all that a fit of a map reads.
#pragma once

#include "core/calibration/statistics.h"
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/torch.h"
#include "core/text/windows.h"

namespace suture {

/// What least squares predicts the removed layers' increment from.
enum class Predictor { None, Stream, Normalised };

/// X = x_s (given), Y = x_e (expected), rows are tokens. Basis 0 is the stream, 1 is the stream times H. Everything float64.
struct SeamStatistics {
    at::Tensor abs_given[2], abs_expected[2];        // [W, C] Σ|x| per window
    at::Tensor square_given[2], square_expected[2];  // [C] Σx²
    at::Tensor product[2];                           // [C] Σ x_s·x_e
    double l2_given = 0, l2_expected = 0;            // mean token norms

    // Least squares of Y − X on F, the stream or its RMS-normalised rows; row t counts weight_t times. Undefined without a predictor.
    at::Tensor gram;                          // [C, C] FᵀF
    at::Tensor cross;                         // [C, C] Fᵀ(Y−X)
    at::Tensor predictor_sum, increment_sum;  // [C]
    double weight = 0, increment_square = 0;  // Σ weight, Σ weight·‖y−x‖²
    double norm_eps = 0;                      // of the normalised rows; 0: F is the stream

    std::int64_t hidden() const { return square_given[0].size(0); }
    /// ‖X − Y‖²_F
    double gap() const;
    /// The same sums over this one's and the other's tokens.
    SeamStatistics operator+(const SeamStatistics& other) const;
};

/// From the calibration pass: both sides from the dense model.
SeamStatistics dense_seam(const Statistics& statistics, Seam seam);

struct SeamObservation {
    Predictor predictor = Predictor::None;
    std::string massive = "keep";  ///< RepairSettings::massive
    double extreme_factor = 20;    ///< a token is massive above so many times its window's median norm
    std::int64_t group = 1;        ///< windows that pass each layer together
};

/// Runs windows again: the expected side through the dense model, the given side through `before`, a variant that is complete up
/// to the seam (dense for a dense fit). [fit, held out]: the windows that is_held_out() names go to the second when `split`.
std::array<SeamStatistics, 2> observe_seam(const Decoder& decoder, const Variant& before, Seam seam, const Windows& windows,
                                           const SeamObservation& what, bool split, Progress& progress);

/// How much each row of one window counts, [T] float64 within 0 … 1, by its norm in `states` and `massive`.
at::Tensor row_weights(const at::Tensor& states, const std::string& massive, double extreme_factor);

}  // namespace suture
