// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes and header text of safetensors files, for those who read and for those who write them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/checkpoint/safetensors.h"

namespace suture {

/// The header of a file may be this long, in bytes.
inline constexpr std::uint64_t safetensors_header_limit = 100'000'000;

/// Bits per element of a safetensors dtype; nothing for an unknown one.
std::optional<unsigned> dtype_bits(std::string_view dtype);

/// Bytes of a tensor. Throws Error beginning with `where` for an unknown dtype, a negative dimension, a size that overflows 64 bits
/// and a packed type whose elements don't fill whole bytes.
std::uint64_t tensor_bytes(std::string_view dtype, std::span<const std::int64_t> shape, const std::string& where);

/// What stands in front of the tensors' bytes: the length and the header text, padded so that the bytes begin at a multiple of 8.
/// The tensors follow in the order given; names, dtypes, shapes and sizes are used, offsets are not.
std::string safetensors_preamble(std::span<const TensorInfo> tensors, const std::map<std::string, std::string>& metadata);

}  // namespace suture
