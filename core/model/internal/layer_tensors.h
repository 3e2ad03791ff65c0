// SPDX-License-Identifier: GPL-3.0-or-later
// Which tensors an architecture needs, and whether a checkpoint has them.
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/tensor_source.h"
#include "core/model/architecture.h"

namespace suture {

struct NeededTensor {
    std::string name;                 ///< with .weight
    std::vector<std::int64_t> shape;  ///< as PyTorch stores a Linear: [out, in]
    std::string bias;                 ///< name of the bias that may accompany it, [out]; empty: none possible
};

/// Embedding, final norm, head (unless tied) and every decoder layer.
std::vector<NeededTensor> needed_tensors(const Architecture& architecture);

/// Throws Error listing missing and unexpected tensors apart, wrong shapes and types by name, layers beyond the config's count and
/// gaps in the layer numbers. Returns warnings: tensors that nothing uses (kept on export).
std::vector<std::string> check_tensors(const Architecture& architecture, const TensorSource& tensors);

/// The layer number in a name like "model.layers.12.mlp.…"; -1 for other names.
int layer_of(const Architecture& architecture, const std::string& name);

}  // namespace suture
