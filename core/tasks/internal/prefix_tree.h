// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences that begin alike, as a tree: each node is a run of tokens that is computed once for everything behind it. Few-shot
// examples, a question and its choices share their beginnings without anybody saying so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tasks/internal/encoding.h"

namespace suture {

struct PrefixNode {
    int parent = -1;
    int depth = 0;
    std::size_t request = 0;  ///< one that runs through this node
    std::size_t begin = 0, end = 0;
    bool has_children = false;
    std::int64_t tokens() const { return std::int64_t(end - begin); }
};

struct PrefixTree {
    std::vector<PrefixNode> nodes;  ///< parents before children
    std::vector<int> leaf;          ///< per request of the batch: the node that holds its last token
    std::int64_t tokens() const;

    /// The node behind `leaf[i]` or above it that holds `position`.
    int node_at(std::size_t i, std::size_t position) const;
};

/// Shared beginnings shorter than this are computed again: a branch costs more than it saves.
constexpr std::size_t shortest_shared_run = 8;

/// `batch`: indices into `requests`, sorted so that equal beginnings are neighbours.
PrefixTree prefix_tree(const std::vector<EncodedRequest>& requests, std::span<const std::size_t> batch);

/// Indices of all requests, sorted by their input.
std::vector<std::size_t> sorted_by_input(const std::vector<EncodedRequest>& requests);

/// How many of `order` from `first` on make a batch whose states and kept keys and values take at most `budget` bytes; at least 1.
std::size_t batch_size(const std::vector<EncodedRequest>& requests, std::span<const std::size_t> order, std::size_t first,
                       double state_bytes, double key_value_bytes, double budget);

}  // namespace suture
