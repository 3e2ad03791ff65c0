// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/down_projection.h"
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_fold;
const RepairKind repairkind_fold{
    .order = 8,
    .info = {.name = "fold",
             .label = "Folded transform",
             .help = "A matrix T on the output of the MLP in front of the seam, folded into its down projection (ReplaceMe).",
             .ridge = true,
             .edits = true,
             .stock = true},
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("fold", settings); },
    .edited = [](const LayerSet& removed, int layers, const RepairSettings&) { return layers_in_front_of_seams(removed, layers, 0); },
    .from_output = true,
    .fit_layer = fold_into_down,
    .refusal = [](const Model& model, const LayerSet& removed) { return down_projection_refusal("fold", model, removed); },
};

}  // namespace suture
