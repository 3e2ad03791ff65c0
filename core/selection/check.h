// SPDX-License-Identifier: GPL-3.0-or-later
// What can be known to be wrong with a choice of layers before anything is run.
#pragma once

#include "core/selection/criterion.h"

namespace suture {

/// Throws a usage Error when `n` layers can't be chosen by the criterion: too many or too few for the protection or the '+' rule, no
/// block of so many in a row, a repair that is missing, settings out of range. Of `input` the model, the repair, the protection and
/// the settings are read, and the statistics where they are there: without them the layer of the massive activation is unknown.
void check_ranking(const SelectionInput& input, const std::string& criterion, int n);

}  // namespace suture
