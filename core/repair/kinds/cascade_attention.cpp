// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/down_projection.h"
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_cascade_attention;
const RepairKind repairkind_cascade_attention{
    .order = 11,
    .info = {.name = "cascade-attention",
             .label = "Cascade with attention",
             .help = "As the cascade, and in each layer behind the seam the attention's output projection is refitted first, against the "
                     "dense model's stream behind the same attention.",
             .ridge = true,
             .edits = true,
             .behind = true,
             .stock = true},
    .sequential_by_default = true,
    .json_key = [](const RepairSettings& settings) { return ridge_key("cascade_attention_" + std::to_string(settings.cascade), settings); },
    .edited = layers_of_cascade,
    .attention = true,
    .fit_layer = refit_down,
    .refusal = [](const Model& model, const LayerSet& removed) { return down_projection_refusal("cascade-attention", model, removed); },
};

}  // namespace suture
