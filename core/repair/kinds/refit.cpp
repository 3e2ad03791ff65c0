// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/down_projection.h"
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_refit;
const RepairKind repairkind_refit{
    .order = 9,
    .info = {.name = "refit",
             .label = "Refitted down projection",
             .help = "The down projection in front of the seam is fitted anew on its MLP's features, by ridge towards its old weights.",
             .ridge = true,
             .edits = true,
             .stock = true},
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("refit", settings); },
    .edited = [](const LayerSet& removed, int layers, const RepairSettings&) { return layers_in_front_of_seams(removed, layers, 0); },
    .fit_layer = refit_down,
    .refusal = [](const Model& model, const LayerSet& removed) { return down_projection_refusal("refit", model, removed); },
};

}  // namespace suture
