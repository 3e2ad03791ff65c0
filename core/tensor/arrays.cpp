// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/internal/arrays.h"

namespace suture {
namespace {

template <class T>
Array<T> copy_of(const at::Tensor& tensor, at::ScalarType type) {
    const auto values = tensor.detach().to(type).contiguous();
    return Array<T>(values.sizes().vec(), std::vector<T>(values.const_data_ptr<T>(), values.const_data_ptr<T>() + values.numel()));
}

}  // namespace

at::Tensor view_of(const Array<float>& values) { return at::from_blob(const_cast<float*>(values.data.data()), values.shape, at::kFloat); }

at::Tensor view_of(const Array<double>& values) {
    return at::from_blob(const_cast<double*>(values.data.data()), values.shape, at::kDouble);
}

Array<float> floats_of(const at::Tensor& tensor) { return copy_of<float>(tensor, at::kFloat); }

Array<double> doubles_of(const at::Tensor& tensor) { return copy_of<double>(tensor, at::kDouble); }

at::Tensor positions_of(const std::vector<bool>& flags) {
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) positions.push_back(std::int64_t(i));
    return at::tensor(positions, at::kLong);
}

}  // namespace suture
