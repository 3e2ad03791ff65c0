// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays as tensors and back, and flags as positions.
#pragma once

#include "core/base/array.h"
#include "core/tensor/internal/torch.h"

namespace suture {

/// The array's own values, without a copy: not to be written to, nor to outlive it.
at::Tensor view_of(const Array<float>& values);
at::Tensor view_of(const Array<double>& values);

/// A copy in the array's type.
Array<float> floats_of(const at::Tensor& tensor);
Array<double> doubles_of(const at::Tensor& tensor);

/// The positions of those that are set, [n] int64.
at::Tensor positions_of(const std::vector<bool>& flags);

}  // namespace suture
