// SPDX-License-Identifier: GPL-3.0-or-later
// What an export will write, as tables.
#pragma once

#include "core/base/table.h"
#include "core/export/export.h"

namespace suture {

/// File and size, the largest first, with the sum in the title; the model card and the report come last. No rows without a plan.
Table export_files(const ExportPlan* plan);

/// Members of config.json that differ: key, old, new; "–" where there is none. No rows without a plan.
Table export_config_changes(const Model& model, const ExportPlan* plan);

}  // namespace suture
