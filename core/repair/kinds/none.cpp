// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"

namespace suture {

extern const RepairKind repairkind_none;
const RepairKind repairkind_none{
    .order = 0,
    .info = {.name = "none", .label = "No repair", .help = "The layers are removed and nothing else is done.", .fitted = false},
    .json_key = [](const RepairSettings&) -> std::string { return "none"; },
};

}  // namespace suture
