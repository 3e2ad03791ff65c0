// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/architecture.h"
#include "core/model/internal/config_reader.h"

namespace suture {

/// Reads the rotary settings in both spellings: `rope_parameters` (transformers 5), or `rope_theta` and `rope_scaling` (4, with
/// `type` or `rope_type`). θ is taken from rope_parameters, then the top level, then `default_theta`.
/// Unknown types and conflicting spellings are refused by name.
Rope read_rope(const ConfigReader& config, std::int64_t head_dim, double default_theta = 10000);

}  // namespace suture
