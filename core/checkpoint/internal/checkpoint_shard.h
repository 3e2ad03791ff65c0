// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/checkpoint/checkpoint_writer.h"

namespace suture {

inline constexpr const char* weights_index_name = "model.safetensors.index.json";

/// One safetensors file as it will be written.
struct CheckpointWriter::Shard {
    std::string name;
    std::string preamble;
    std::vector<const Tensor*> tensors;
    std::uint64_t bytes = 0;  // of the whole file
};

}  // namespace suture
