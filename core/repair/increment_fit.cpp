// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/increment_fit.h"

namespace suture {
namespace {

at::Tensor mean_of(const at::Tensor& sum, const SeamStatistics& seam, bool bias) { return bias ? sum / seam.weight : at::Tensor(); }

at::Tensor centred(const at::Tensor& products, const at::Tensor& mean_f, const at::Tensor& mean, double weight) {
    return mean_f.defined() ? products - weight * at::outer(mean_f, mean) : products;
}

}  // namespace

IncrementFit::IncrementFit(const SeamStatistics& seam, bool bias)
    : mean_f_(mean_of(seam.predictor_sum, seam, bias)),
      mean_r_(mean_of(seam.increment_sum, seam, bias)),
      cross_(centred(seam.cross, mean_f_, mean_r_, seam.weight)),
      eigen_(centred(seam.gram, mean_f_, mean_f_, seam.weight)) {}

Increment IncrementFit::at(double ridge) const {
    Increment result{.m = eigen_.solve(cross_, ridge)};
    if (mean_f_.defined()) result.bias = mean_r_ - at::matmul(mean_f_, result.m);
    return result;
}

}  // namespace suture
