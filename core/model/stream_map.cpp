// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/arrays.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

/// A map's values in the type of x; float32 is a view.
at::Tensor values_of(const Array<float>& values, const at::Tensor& x) { return view_of(values).to(x.scalar_type()); }

at::Tensor scaled(const StreamMap& map, const at::Tensor& x) {
    const auto scale = at::tensor(map.scale.data, x.options());  // [1] or [C]
    if (!map.hadamard) return x * scale;
    const Hadamard& h = Hadamard::of_size(x.size(1));
    return h.apply_transposed(h.apply(x).mul_(scale));
}

/// x·P without the bias.
at::Tensor linear_part(const StreamMap& map, const at::Tensor& x) {
    if (!map.left.empty()) return x + at::matmul(at::matmul(x, values_of(map.left, x)), values_of(map.right, x));
    if (map.matrix.empty()) return scaled(map, x);
    if (map.norm_eps <= 0) return at::matmul(x, values_of(map.matrix, x));
    return x + at::matmul(rms_normalised(x, map.norm_eps), values_of(map.matrix, x));
}

}  // namespace

at::Tensor rms_normalised(const at::Tensor& x, double eps) { return x * at::rsqrt(x.square().mean(-1, true).add_(eps)); }

at::Tensor apply_map(const StreamMap& map, const at::Tensor& x) {
    const auto y = linear_part(map, x);
    return map.bias.empty() ? y : y + values_of(map.bias, x);
}

}  // namespace suture
