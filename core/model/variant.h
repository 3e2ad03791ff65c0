// SPDX-License-Identifier: GPL-3.0-or-later
// A changed model is a plan over an untouched checkpoint: which layers are kept, and what is done to the stream between them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/array.h"
#include "core/base/key.h"
#include "core/base/layers.h"

namespace suture {

/// x' = x·P + b on the residual stream, row vectors [T, C].
/// Either `matrix` is given and is P, or P is made of `scale`: c·I (one value), diag(d), or H·diag(d)·Hᵀ when `hadamard`.
struct StreamMap {
    std::string kind;       ///< the repair's terminal name
    Array<double> scale;    ///< [1] or [C]; empty when `matrix` is given
    bool hadamard = false;  ///< `scale` acts on x·H
    Array<float> matrix;    ///< [C, C]; empty when `scale` is given
    Array<float> bias;      ///< [C]; empty: none
    /// SHA-256 over all of the above.
    std::string digest() const;
};

struct Step {
    int layer = -1;                        ///< decoder layer to run; -1: a map
    std::shared_ptr<const StreamMap> map;  ///< applied when `layer` is -1
};

class Variant {
public:
    Variant() = default;  ///< the dense model
    explicit Variant(LayerSet removed) : removed_(std::move(removed)) {}

    const LayerSet& removed() const { return removed_; }
    /// Maps by the original number of the layer they stand in front of; the layer count stands for the final norm.
    const std::map<int, std::shared_ptr<const StreamMap>>& maps() const { return maps_; }
    /// The same plan with `map` in front of `before_layer`.
    Variant with_map(int before_layer, std::shared_ptr<const StreamMap> map) const;

    /// What happens to the stream from the embeddings to the final norm, in order.
    std::vector<Step> steps(int layer_count) const;
    /// Canonical description: {"removed": […], "maps": {"7": digest}}. Its Key names the variant.
    nlohmann::json to_json() const;

private:
    LayerSet removed_;
    std::map<int, std::shared_ptr<const StreamMap>> maps_;
};

/// Digest of the first `count` steps: equal digests mean equal hidden states for equal tokens.
std::string prefix_digest(const std::vector<Step>& steps, std::size_t count);

}  // namespace suture
