// SPDX-License-Identifier: GPL-3.0-or-later
// A batch of requests through several plans at once: one pass per layer over all tokens that differ.
#pragma once

#include "core/model/internal/decoder.h"
#include "core/tasks/internal/prefix_tree.h"

namespace suture {

struct RequestScore {
    double loglikelihood = 0;
    bool is_greedy = true;
};

using Plan = std::vector<Step>;

class Scorer {
public:
    /// `scores`: [plan][request], filled by run().
    Scorer(const Decoder& decoder, const std::vector<Plan>& plans, const std::vector<EncodedRequest>& requests,
           std::vector<std::vector<RequestScore>>& scores, TokenProgress& progress)
        : decoder_(decoder), plans_(plans), requests_(requests), scores_(scores), progress_(progress) {}

    /// Scores the requests of `batch`, neighbours in sorted order. `name` is what an error calls them.
    void run(std::span<const std::size_t> batch, const std::string& name);

private:
    /// Nodes of one depth that pass a layer together, so that none waits for another's keys.
    struct Chunk {
        std::vector<std::size_t> nodes;
        std::int64_t tokens = 0;
    };
    /// A row of x_L and the tokens that requests ask about there.
    struct Row {
        std::size_t chunk = 0;
        std::int64_t row = 0;
        std::vector<std::pair<std::size_t, std::int64_t>> asked;  // (place in the batch, target id)
    };

    void make_chunks();
    void find_rows();
    void walk(std::vector<at::Tensor> states, std::size_t depth, const std::vector<std::size_t>& plans);
    void advance(const Step& step, std::vector<at::Tensor>& states);
    at::Tensor run_chunk(const LayerWeights& weights, const Chunk& chunk, const at::Tensor& x, std::vector<KeyValues>& kept);
    void score(const std::vector<at::Tensor>& states, const std::vector<std::size_t>& plans);
    void score_block(const at::Tensor& logits, std::span<const Row> rows, const std::vector<std::size_t>& plans);

    const Decoder& decoder_;
    const std::vector<Plan>& plans_;
    const std::vector<EncodedRequest>& requests_;
    std::vector<std::vector<RequestScore>>& scores_;
    TokenProgress& progress_;

    std::span<const std::size_t> batch_;
    std::string name_;
    PrefixTree tree_;
    std::vector<Chunk> chunks_;
    std::vector<Row> rows_;
};

/// Bytes per value position of keys and values of one token in one layer, float32.
double key_value_bytes(const Architecture& architecture);

}  // namespace suture
