// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/down_projection.h"
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_cascade;
const RepairKind repairkind_cascade{
    .order = 10,
    .info = {.name = "cascade",
             .label = "Cascade",
             .help = "Refits the down projection in front of the seam, then those of the next --cascade kept layers in turn, each against "
                     "the dense model's stream.",
             .ridge = true,
             .edits = true,
             .behind = true,
             .stock = true},
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("cascade_" + std::to_string(settings.cascade), settings); },
    .edited = layers_of_cascade,
    .fit_layer = refit_down,
    .refusal = [](const Model& model, const LayerSet& removed) { return down_projection_refusal("cascade", model, removed); },
};

}  // namespace suture
