// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {

at::Tensor apply_map(const StreamMap& map, const at::Tensor& x) {
    at::Tensor y;
    if (!map.matrix.empty()) {
        const std::int64_t c = x.size(1);
        y = at::matmul(x, at::from_blob(const_cast<float*>(map.matrix.data.data()), {c, c}, at::kFloat));
    } else {
        const auto scale = at::tensor(map.scale.data, at::kFloat);  // [1] or [C]
        if (map.hadamard) {
            const Hadamard& h = Hadamard::of_size(x.size(1));
            y = h.apply_transposed(h.apply(x).mul_(scale));
        } else {
            y = x * scale;
        }
    }
    return map.bias.empty() ? y : y.add_(at::tensor(map.bias.data, at::kFloat));
}

}  // namespace suture
