// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the page Patch: what does the repair do? The error per channel is channel_errors() of channels.h.
#pragma once

#include <string>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/channels.h"
#include "core/repair/repair.h"

namespace suture {

/// P as a heat map, or M where the increment is predicted from the normalised stream: y is the row (channel in), x the column
/// (channel out), colours around 0. `matrix`: dense_matrix() of the patch's map, [C, C]; more than 1024 channels are pooled, each
/// cell the entry of largest magnitude. `without_diagonal`: the diagonal counts as 0, so that the rest can be seen. `patch` or
/// `matrix` null, or a repair without a map: empty, with a sentence.
Figure patch_matrix(const Patch* patch, const Array<float>* matrix, bool without_diagonal);

/// d in falling order with a guide at 1; for a patch that is not made of a scale, the diagonal of P (of M with a guide at 0)
/// instead. Empty, with a sentence, for a repair without a map.
Figure patch_scale(const Patch* patch);

/// "LinearPatch", "LinearPatch, fine-tuned", "LinearPatch, imported from scales.pt". `settings`: Repaired::settings.
std::string repair_words(const std::string& kind, const nlohmann::json& settings);

/// Kind, definition of d, λ as used, massive tokens, seam, changed layers, form of the map, trace, Frobenius norm, range of d,
/// relative errors: one row each, as far as the repair has them. No rows without a patch. `settings`: Repaired::settings.
Table patch_facts(const Patch* patch, const nlohmann::json& settings);

}  // namespace suture
