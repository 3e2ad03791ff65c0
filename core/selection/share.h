// SPDX-License-Identifier: GPL-3.0-or-later
// A chosen set of layers in the words of other tools.
#pragma once

#include <string>

#include "core/base/layers.h"

namespace suture {

/// mergekit's YAML: the kept layers as half-open `layer_range` slices of one model, merge_method passthrough. `model`: the folder
/// or hub name that mergekit is to read. `dtype`: float32, float16 or bfloat16.
std::string mergekit_yaml(const std::string& model, const LayerSet& removed, int layers, const std::string& dtype);

/// What `llama-quantize --prune-layers` takes: "7,8,9,11". Empty for the empty set.
std::string prune_layers_list(const LayerSet& removed);

}  // namespace suture
