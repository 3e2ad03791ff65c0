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

/// removed, kept, seams.
nlohmann::json cut_to_json(const LayerSet& removed, int layers);

}  // namespace suture
