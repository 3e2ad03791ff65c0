// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>

#include "core/checkpoint/tensor_source.h"
#include "core/model/architecture.h"
#include "core/model/internal/config_reader.h"
#include "core/model/variant.h"

namespace suture {

/// The patches of a checkpoint that this program exported: config member "suture" and the tensors suture.patches.i.*, float32.
/// Throws Error naming the entry that can't be read.
std::map<int, std::shared_ptr<const StreamMap>> read_own_maps(const ConfigReader& config, const Architecture& architecture,
                                                              const TensorSource& tensors);

}  // namespace suture
