// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON that the terminal writes (CONTRACT "JSON").
#pragma once

#include <nlohmann/json.hpp>

#include "core/study/study.h"

namespace suture {

/// The keys of the reference files: magnitudes, cosines, block influence, and a "prune" entry per count in `counts`.
nlohmann::json analysis_to_json(const Model& model, const Statistics& statistics, const std::vector<int>& counts);

/// Every criterion's scores and choice for n layers: cosine_token, start_cosine_token, …
nlohmann::json selection_to_json(const Statistics& statistics, int n);

/// The key of JSON "variants" for a variant by its terminal name: of a repair repair_json_key(), "imported" and "merged" as they are,
/// and "…_finetuned" behind the key of what was trained on: "refit_0.01_finetuned", "imported_finetuned". Of different names that one
/// cut can have at a time no two share a key.
std::string variant_json_key(const std::string& name, const RepairSettings& settings);

/// The terminal's name of what a repair of that name became by fine-tuning.
std::string finetuned_name(const std::string& name);

/// removed, kept, seams.
nlohmann::json cut_to_json(const LayerSet& removed, int layers);

}  // namespace suture
