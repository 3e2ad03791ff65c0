// SPDX-License-Identifier: GPL-3.0-or-later
// How surprised variants are by each token of one text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"

namespace suture {

/// -log p(token | all before it) in nats, of every token of `ids` but the first: [variant][T-1]. What the variants share from the
/// embeddings on is computed once. Throws a usage Error below two ids; Cancelled; Error on values that are not finite.
std::vector<std::vector<double>> token_losses(std::shared_ptr<const Model> model, std::span<const Variant> variants,
                                              std::span<const std::int64_t> ids, const ComputeSettings& compute, Progress& progress);

}  // namespace suture
