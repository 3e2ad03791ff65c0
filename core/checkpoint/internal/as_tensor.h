// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/checkpoint/tensor_source.h"

namespace suture {

/// The named tensor over its mapped bytes, without a copy (unaligned bytes are copied). It keeps the bytes alive and must not be
/// written to: the memory is read-only. Throws Error naming the tensor when it is absent or its dtype is none of
/// F64 F32 F16 BF16 I64 I32 I16 I8 U8 BOOL.
at::Tensor as_tensor(const TensorSource& source, const std::string& name);

/// The torch type of a safetensors dtype; nothing for those as_tensor() refuses.
std::optional<at::ScalarType> scalar_type_of(std::string_view dtype);
/// The safetensors dtype of a torch type. Throws Error naming a type that has none.
std::string dtype_of(at::ScalarType type);

}  // namespace suture
