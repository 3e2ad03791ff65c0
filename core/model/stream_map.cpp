// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/decoder.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

/// A view of a map's own values.
at::Tensor view_of(const Array<float>& values) { return at::from_blob(const_cast<float*>(values.data.data()), values.shape, at::kFloat); }

at::Tensor scaled(const StreamMap& map, const at::Tensor& x) {
    const auto scale = at::tensor(map.scale.data, at::kFloat);  // [1] or [C]
    if (!map.hadamard) return x * scale;
    const Hadamard& h = Hadamard::of_size(x.size(1));
    return h.apply_transposed(h.apply(x).mul_(scale));
}

/// x·P without the bias.
at::Tensor linear_part(const StreamMap& map, const at::Tensor& x) {
    if (!map.left.empty()) return x + at::matmul(at::matmul(x, view_of(map.left)), view_of(map.right));
    if (map.matrix.empty()) return scaled(map, x);
    if (map.norm_eps <= 0) return at::matmul(x, view_of(map.matrix));
    return x + at::matmul(rms_normalised(x, map.norm_eps), view_of(map.matrix));
}

}  // namespace

at::Tensor rms_normalised(const at::Tensor& x, double eps) { return x * at::rsqrt(x.square().mean(-1, true).add_(eps)); }

at::Tensor apply_map(const StreamMap& map, const at::Tensor& x) {
    const auto y = linear_part(map, x);
    return map.bias.empty() ? y : y + view_of(map.bias);
}

}  // namespace suture
