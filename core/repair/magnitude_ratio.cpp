// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/kind.h"

namespace suture {
namespace {

/// expected / given per channel; a channel dead on the given side keeps factor 1. [C] float64 each.
at::Tensor guarded_ratio(const at::Tensor& expected, const at::Tensor& given) {
    const auto dead = given <= given.mean() * 1e-12;
    return at::where(dead, at::ones_like(given), expected / at::where(dead, at::ones_like(given), given));
}

}  // namespace

std::string definition_name(const RepairSettings& settings) { return settings.definition == "script" ? "mean_of_ratios" : "ratio_of_sums"; }

Array<double> magnitude_ratio(const SeamStatistics& seam, int basis, const std::string& definition) {
    const at::Tensor &given = seam.abs_given[basis], &expected = seam.abs_expected[basis];  // [W, C]
    at::Tensor ratio;                                                                       // [C]
    if (definition == "script") {
        ratio = at::zeros({given.size(1)}, at::kDouble);
        for (std::int64_t w = 0; w < given.size(0); ++w) ratio += guarded_ratio(expected[w], given[w]) / double(given.size(0));
    } else {
        ratio = guarded_ratio(expected.sum(0), given.sum(0));
    }
    ratio = ratio.contiguous();
    return Array<double>({ratio.size(0)},
                         std::vector<double>(ratio.const_data_ptr<double>(), ratio.const_data_ptr<double>() + ratio.size(0)));
}

}  // namespace suture
