// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/scorer.h"

namespace suture {
namespace {

constexpr std::int64_t chunk_tokens = 1024;     // rows that pass a layer together: enough for the products, few enough for the cache
constexpr double chunk_key_values = 64e6;       // bytes of keys and values that live beside them
constexpr std::int64_t logits_bytes = 1 << 26;  // of one block of logits

}  // namespace

double key_value_bytes(const Architecture& a) { return double(2 * a.kv_heads * a.head_dim) * sizeof(float); }

void Scorer::run(std::span<const std::size_t> batch, const std::string& name) {
    batch_ = batch;
    name_ = name;
    tree_ = prefix_tree(requests_, batch);
    make_chunks();
    find_rows();
    std::vector<at::Tensor> states;  // [Σ tokens, C] per chunk
    for (const Chunk& chunk : chunks_) {
        std::vector<std::int64_t> ids;
        for (const std::size_t n : chunk.nodes) {
            const PrefixNode& node = tree_.nodes[n];
            const auto& input = requests_[node.request].input;
            ids.insert(ids.end(), input.begin() + std::ptrdiff_t(node.begin), input.begin() + std::ptrdiff_t(node.end));
        }
        states.push_back(decoder_.embed(ids));
    }
    std::vector<std::size_t> all(plans_.size());
    for (std::size_t p = 0; p < all.size(); ++p) all[p] = p;
    walk(std::move(states), 0, all);
}

/// By depth, so that parents come first.
void Scorer::make_chunks() {
    chunks_.clear();
    std::map<int, std::vector<std::size_t>> by_depth;
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) by_depth[tree_.nodes[n].depth].push_back(n);
    const double per_token = key_value_bytes(decoder_.architecture());
    for (const auto& [depth, nodes] : by_depth) {
        double key_values = 0;
        bool open = false;
        for (const std::size_t n : nodes) {
            const std::int64_t tokens = tree_.nodes[n].tokens();
            const double own = double(tree_.nodes[n].end) * per_token;
            if (!open || chunks_.back().tokens + tokens > chunk_tokens || key_values + own > chunk_key_values) {
                chunks_.emplace_back();
                key_values = 0;
                open = true;
            }
            chunks_.back().nodes.push_back(n);
            chunks_.back().tokens += tokens;
            key_values += own;
        }
    }
}

void Scorer::find_rows() {
    std::vector<std::pair<std::size_t, std::int64_t>> place(tree_.nodes.size());  // (chunk, first row) of a node
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        std::int64_t row = 0;
        for (const std::size_t n : chunks_[c].nodes) {
            place[n] = {c, row};
            row += tree_.nodes[n].tokens();
        }
    }
    std::map<std::pair<std::size_t, std::int64_t>, Row> rows;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
        const EncodedRequest& request = requests_[batch_[i]];
        for (std::size_t t = 0; t < request.targets.size(); ++t) {
            const std::size_t position = request.first() + t, n = std::size_t(tree_.node_at(i, position));
            const auto at = std::pair(place[n].first, place[n].second + std::int64_t(position - tree_.nodes[n].begin));
            Row& row = rows[at];
            std::tie(row.chunk, row.row) = at;
            row.asked.emplace_back(i, request.targets[t]);
        }
    }
    rows_.clear();
    for (auto& [at, row] : rows) rows_.push_back(std::move(row));
}

/// `plans`: those whose first `depth` steps made `states`.
void Scorer::walk(std::vector<at::Tensor> states, std::size_t depth, const std::vector<std::size_t>& plans) {
    while (true) {
        std::map<std::string, std::vector<std::size_t>> next;
        for (const std::size_t p : plans) next[depth < plans_[p].size() ? plans_[p][depth].name() : "end"].push_back(p);
        if (next.size() > 1) {
            for (auto& [name, branch] : next) walk(states, depth, branch);
            return;
        }
        if (depth == plans_[plans[0]].size()) return score(states, plans);
        advance(plans_[plans[0]][depth], states);
        ++depth;
    }
}

void Scorer::advance(const Step& step, std::vector<at::Tensor>& states) {
    if (step.map) {
        for (at::Tensor& x : states) x = apply_map(*step.map, x);
        return;
    }
    const LayerWeights weights = decoder_.load(step);
    std::vector<KeyValues> kept(tree_.nodes.size());  // of nodes that others follow
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        states[c] = run_chunk(weights, chunks_[c], states[c], kept);
        if (!std::isfinite(states[c].sum().item<float>()))
            require_finite(states[c], "layer " + std::to_string(step.layer) + " in " + name_, 0);
        progress_.layer_done(states[c].size(0));
    }
    decoder_.release(step.layer);
}

at::Tensor Scorer::run_chunk(const LayerWeights& weights, const Chunk& chunk, const at::Tensor& x, std::vector<KeyValues>& kept) {
    std::vector<KeyValues> own(chunk.nodes.size());
    std::vector<Segment> segments;
    for (std::size_t i = 0; i < chunk.nodes.size(); ++i) {
        const PrefixNode& node = tree_.nodes[chunk.nodes[i]];
        if (node.parent >= 0) own[i] = kept[std::size_t(node.parent)];
        segments.push_back({node.tokens(), node.parent >= 0 || node.has_children ? &own[i] : nullptr});
    }
    const auto next = decoder_.run(weights, x, segments);
    for (std::size_t i = 0; i < chunk.nodes.size(); ++i)
        if (tree_.nodes[chunk.nodes[i]].has_children) kept[chunk.nodes[i]] = own[i];
    return next;
}

void Scorer::score(const std::vector<at::Tensor>& states, const std::vector<std::size_t>& plans) {
    const std::int64_t block =
        std::max<std::int64_t>(logits_bytes / (decoder_.architecture().vocabulary * std::int64_t(sizeof(float))), 64);
    for (std::size_t first = 0; first < rows_.size(); first += std::size_t(block)) {
        const auto rows = std::span(rows_).subspan(first, std::min(std::size_t(block), rows_.size() - first));
        std::vector<at::Tensor> picked;  // [1, C]
        for (const Row& row : rows) picked.push_back(states[row.chunk].narrow(0, row.row, 1));
        score_block(decoder_.logits(at::cat(picked)), rows, plans);
        progress_.layer_done(0);  // a chance to cancel between blocks
    }
}

/// logits [N, V] float32 of `rows`.
void Scorer::score_block(const at::Tensor& logits, std::span<const Row> rows, const std::vector<std::size_t>& plans) {
    const auto log_sums = at::logsumexp(logits, {1}).to(at::kDouble).contiguous();  // [N]
    const auto best = logits.argmax(1).contiguous();                                // [N]
    const auto values = logits.contiguous();
    const std::int64_t vocabulary = logits.size(1);
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const auto& [i, target] : rows[r].asked) {
            const double value = double(values.const_data_ptr<float>()[std::int64_t(r) * vocabulary + target]);
            const double log_probability = value - log_sums.const_data_ptr<double>()[r];
            for (const std::size_t p : plans) {
                RequestScore& score = scores_[p][batch_[i]];
                score.loglikelihood += log_probability;
                score.is_greedy = score.is_greedy && best.const_data_ptr<std::int64_t>()[r] == target;
            }
        }
}

}  // namespace suture
