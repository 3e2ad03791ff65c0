// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/down_projection.h"

#include <set>

#include "core/tensor/internal/solve.h"

namespace suture {

void LayerSums::add(const at::Tensor& features, const at::Tensor& missing) {
    const auto g = at::matmul(features.t(), features), c = at::matmul(features.t(), missing);
    gram = gram.defined() ? gram.add_(g) : g;
    cross = cross.defined() ? cross.add_(c) : c;
}

std::vector<int> layers_in_front_of_seams(const LayerSet& removed, int layers, std::int64_t behind) {
    std::set<int> chosen;
    for (const Seam seam : seams_of(removed)) {
        if (seam.start > 0) chosen.insert(seam.start - 1);
        std::int64_t taken = 0;
        for (int layer = seam.end; layer < layers && taken < behind; ++layer)
            if (!removed.contains(layer)) {
                chosen.insert(layer);
                ++taken;
            }
    }
    return {chosen.begin(), chosen.end()};
}

std::vector<int> layers_of_cascade(const LayerSet& removed, int layers, const RepairSettings& settings) {
    return layers_in_front_of_seams(removed, layers, settings.cascade > 0 ? settings.cascade : layers);
}

LayerFit refit_down(const LayerFitInput& input, std::span<const double> ridges) {
    const RidgeEigen eigen(input.sums.gram);
    LayerFit fit;
    for (const double ridge : ridges) {
        fit.weights.push_back(input.weight + eigen.solve(input.sums.cross, ridge).t());  // [C, I]
        if (input.bias.defined()) fit.biases.push_back(input.bias);
    }
    return fit;
}

LayerFit fold_into_down(const LayerFitInput& input, std::span<const double> ridges) {
    const RidgeEigen eigen(input.sums.gram);
    LayerFit fit;
    for (const double ridge : ridges) {
        const auto t = eigen.solve(input.sums.cross, ridge) + at::eye(input.weight.size(0), at::kDouble);  // [C, C]
        fit.weights.push_back(at::matmul(t.t(), input.weight));
        if (input.bias.defined()) fit.biases.push_back(at::matmul(t.t(), input.bias));
    }
    return fit;
}

std::string down_projection_refusal(const std::string& kind, const Model& model, const LayerSet& removed) {
    const Architecture& a = model.architecture();
    if (!a.names.mlp_post_norm.empty())
        return "the repair " + kind + " changes a down projection, and " + a.model_type +
               " puts a norm behind its MLP; choose a repair of the stream, such as ridge";
    if (removed.contains(0))
        return "the repair " + kind +
               " changes the layer in front of the cut, and there is none in front of layer 0; keep layer 0 or choose ridge";
    return {};
}

}  // namespace suture
