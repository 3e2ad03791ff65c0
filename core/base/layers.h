// SPDX-License-Identifier: GPL-3.0-or-later
// Which decoder layers: sets of them, and the seams that removing them leaves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace suture {

/// A set of decoder layers, 0-based, ascending, without duplicates.
class LayerSet {
public:
    LayerSet() = default;
    /// Sorts and removes duplicates.
    explicit LayerSet(std::vector<int> layers);
    /// The layers first … first+count-1.
    static LayerSet range(int first, int count);
    /// Reads lists like "21-24,27". Throws a usage Error with one sentence for the first mistake: empty text or entry, something
    /// that is no number, a reversed range, a layer named twice, a layer the model does not have, all layers removed.
    static LayerSet parse(const std::string& text, int layer_count);

    const std::vector<int>& layers() const { return layers_; }
    int size() const { return int(layers_.size()); }
    bool empty() const { return layers_.empty(); }
    bool contains(int layer) const;
    /// The layers of a model with `layer_count` layers that are not in this set.
    LayerSet complement(int layer_count) const;
    LayerSet with(int layer) const;
    LayerSet without(int layer) const;
    /// As in "13-18,21": what parse() reads. Empty for the empty set.
    std::string text() const;
    /// For people: "13–18 and 21"; "none" for the empty set.
    std::string words() const;

    bool operator==(const LayerSet&) const = default;

private:
    std::vector<int> layers_;
};

/// A maximal run of removed layers start … end-1. Removing them joins x_start, which the next kept layer now gets, to
/// x_end, which it expects. `end` is that next kept layer, or the layer count when the final norm comes next.
struct Seam {
    int start = 0;
    int end = 0;
    int removed() const { return end - start; }
    /// For people: "layers 13–18 (6)".
    std::string words() const;
    bool operator==(const Seam&) const = default;
};

/// The seams left by removing `removed`, from the input of the model to its output.
std::vector<Seam> seams_of(const LayerSet& removed);

}  // namespace suture
