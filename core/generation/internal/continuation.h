// SPDX-License-Identifier: GPL-3.0-or-later
// Token after token through a plan, with what every layer has seen kept.
#pragma once

#include "core/base/progress.h"
#include "core/model/internal/decoder.h"

namespace suture {

/// Weights that stay loaded between tokens, as far as the memory limit allows; plans share those of equal steps.
class LoadedLayers {
public:
    LoadedLayers(const Decoder& decoder, const ComputeSettings& settings);
    /// Null when the limit is reached: the layer is then read anew for every pass.
    std::shared_ptr<const LayerWeights> keep(const Step& step);

private:
    std::uint64_t bytes_to_load(const Step& step) const;

    const Decoder& decoder_;
    const ComputeSettings settings_;
    double left_;  // bytes
    std::map<std::string, std::shared_ptr<const LayerWeights>> kept_;
};

/// A plan that reads one sequence.
class Continuation {
public:
    Continuation(const Decoder& decoder, LoadedLayers& layers, const std::vector<Step>& plan);

    /// Forgets the sequence.
    void restart();
    /// Reads `ids` behind what was read before; logits [V] float32 behind the last of them. With dynamic rope the new tokens are
    /// rotated for the length reached now, while cached keys keep the rotation of their time, as in transformers.
    /// `progress`: of a long prompt, told nothing new at every layer, so that it can be cancelled there. Throws Cancelled.
    at::Tensor read(std::span<const std::int64_t> ids, Progress* progress = nullptr);
    /// Whether all layers stay in memory.
    bool resident() const;

private:
    struct Stage {
        Step step;
        std::shared_ptr<const LayerWeights> weights;  // null for maps, and for layers read anew each time
        KeyValues past;
    };
    at::Tensor pass(Stage& stage, const at::Tensor& x) const;

    const Decoder& decoder_;
    std::vector<Stage> stages_;
};

}  // namespace suture
