// SPDX-License-Identifier: GPL-3.0-or-later
// Several plans over one model, what they share computed once.
#pragma once

#include "core/model/internal/decoder.h"

namespace suture {

using Plan = std::vector<Step>;

/// Layer passes of all plans together, shared prefixes counted once.
std::int64_t distinct_layer_passes(const std::vector<Plan>& plans);

/// Gets the states behind the last step of `plans`, those plans that are equal: [T, C] float32 per window.
using AtEnd = std::function<void(const std::vector<at::Tensor>& states, const std::vector<std::size_t>& plans)>;

/// Takes the states entering layer 0, one [T, C] per window, through every plan and branches where plans part.
/// `first_window` is the number of the first one, for messages. Throws Cancelled; Error on a value that is not finite.
void walk_plans(const Decoder& decoder, const std::vector<Plan>& plans, std::vector<at::Tensor> states, std::int64_t first_window,
                TokenProgress& progress, const AtEnd& at_end);

}  // namespace suture
