// SPDX-License-Identifier: GPL-3.0-or-later
// The repaired model behind its first trained step, as a differentiable function of what is trained.
#pragma once

#include "core/distillation/distil.h"
#include "core/model/internal/decoder.h"

namespace suture {

/// What of a map is trained: its factors c or d, the two low-rank factors, or a full matrix.
enum class TrainedAs { Scale, Factors, Matrix };
/// "auto" is what the map is made of, so that a scalar stays one number; of LinearPatch it is P in full, as the paper trains it.
TrainedAs trained_as(const StreamMap& map, const std::string& train);

/// One map whose values are trained. Which tensors are defined tells its form, as in StreamMap.
struct TrainedMap {
    StreamMap map;  // what is not trained: kind, norm_eps, hadamard
    at::Tensor scale, matrix, left, right, bias;
    at::Tensor apply(const at::Tensor& x) const;
    StreamMap frozen() const;
    std::vector<at::Tensor*> parameters();
};

class Student {
public:
    /// Throws Error when `start` has nothing of the kind that settings.train names.
    Student(const Decoder& decoder, const Repaired& start, const DistilSettings& settings);

    /// Leaves that require gradients: float32, or float64 for a decoder in float64.
    const std::vector<at::Tensor>& parameters() const { return parameters_; }
    /// Steps in front of the first trained one: the same for every value of the parameters.
    std::vector<Step> prefix() const { return {steps_.begin(), steps_.begin() + std::ptrdiff_t(first_)}; }
    /// x_L from the stream in front of the first trained step, [ΣT, C] both: the rows of several sequences, one after the other.
    at::Tensor run(at::Tensor x, std::span<const Segment> segments) const;
    /// The repair with the parameters' present values.
    Repaired repaired() const;

private:
    void train_map(std::size_t step, const DistilSettings& settings);
    /// All projections of the layer, or `only` one.
    void train_layer(std::size_t step, const std::string& only);

    const Decoder& decoder_;
    Repaired start_;
    std::vector<Step> steps_;
    std::size_t first_ = 0;
    std::map<std::size_t, TrainedMap> maps_;                           // by step
    std::map<std::size_t, std::map<std::string, at::Tensor>> layers_;  // trained projections [out, in] by step and name
    std::map<std::size_t, LayerWeights> weights_;                      // of every layer behind the prefix
    std::vector<at::Tensor> parameters_;
};

}  // namespace suture
