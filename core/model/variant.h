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

/// A map of the residual stream, rows [T, C]; `bias` is added last. One of
///   x·P           `scale`: P = c·I (one value), diag(d), or H·diag(d)·Hᵀ when `hadamard`; or `matrix`: P itself
///   x + x·L·R     `left`, `right`: P = I + L·R in two factors of rank r
///   x + x̂·M       `matrix` is M and `norm_eps` is above 0: x̂ = x / sqrt(mean x² + norm_eps), as a decoder layer's own norm has it
struct StreamMap {
    std::string kind;          ///< the repair's terminal name
    Array<double> scale;       ///< [1] or [C]
    bool hadamard = false;     ///< `scale` acts on x·H
    Array<float> matrix;       ///< [C, C]
    Array<float> left, right;  ///< [C, r], [r, C]
    double norm_eps = 0;       ///< above 0: the increment is predicted from the RMS-normalised stream
    Array<float> bias;         ///< [C]; empty: none
    /// SHA-256 over all of the above.
    std::string digest() const;
};

/// What a repair changes in a kept layer's own tensors. The checkpoint keeps its form: no tensor is added, no shape changes, and
/// values are rounded to the type in which the file stores them, so that what is measured is what is exported.
struct LayerEdit {
    std::map<std::string, Array<float>> tensors;  ///< replaced, by name below the layer's prefix: "mlp.down_proj.weight" [out, in]
    double branch_scale = 1;  ///< on what attention and MLP add to the stream: o and down projection, or the norms behind them
    std::string digest() const;
};

struct Step {
    int layer = -1;                                   ///< decoder layer to run; -1: a map
    std::shared_ptr<const StreamMap> map = nullptr;   ///< applied when `layer` is -1
    std::shared_ptr<const LayerEdit> edit = nullptr;  ///< of the layer; null: as the checkpoint has it
    /// Equal names: equal effect on every stream.
    std::string name() const;
};

class Variant {
public:
    Variant() = default;  ///< the dense model
    explicit Variant(LayerSet removed) : removed_(std::move(removed)) {}

    const LayerSet& removed() const { return removed_; }
    /// Maps by the original number of the layer they stand in front of; the layer count stands for the final norm.
    const std::map<int, std::shared_ptr<const StreamMap>>& maps() const { return maps_; }
    /// Edits by original layer number, of kept layers only.
    const std::map<int, std::shared_ptr<const LayerEdit>>& edits() const { return edits_; }
    /// The same plan with `map` in front of `before_layer`.
    Variant with_map(int before_layer, std::shared_ptr<const StreamMap> map) const;
    /// The same plan with `edit` on top of what is done to `layer` already: tensors replace, scales multiply.
    Variant with_edit(int layer, LayerEdit edit) const;

    /// What happens to the stream from the embeddings to the final norm, in order.
    std::vector<Step> steps(int layer_count) const;
    /// Canonical description: {"removed": […], "maps": {"7": digest}[, "edits": {"3": digest}]}. Its Key names the variant.
    nlohmann::json to_json() const;

private:
    LayerSet removed_;
    std::map<int, std::shared_ptr<const StreamMap>> maps_;
    std::map<int, std::shared_ptr<const LayerEdit>> edits_;
};

/// Digest of the first `count` steps: equal digests mean equal hidden states for equal tokens.
std::string prefix_digest(const std::vector<Step>& steps, std::size_t count);

}  // namespace suture
