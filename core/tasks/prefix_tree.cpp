// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tasks/internal/prefix_tree.h"

#include <algorithm>
#include <numeric>

namespace suture {
namespace {

using Ids = std::vector<std::int64_t>;

std::size_t common_length(const Ids& a, const Ids& b) {
    return std::size_t(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

class Builder {
public:
    Builder(const std::vector<EncodedRequest>& requests, std::span<const std::size_t> batch) : requests_(requests), batch_(batch) {
        tree_.leaf.resize(batch.size(), -1);
        grow(0, batch.size(), 0, -1);
    }
    PrefixTree take() { return std::move(tree_); }

private:
    const Ids& input(std::size_t i) const { return requests_[batch_[i]].input; }

    /// The requests low … high-1 agree in their first `begin` tokens, which end with `parent`.
    void grow(std::size_t low, std::size_t high, std::size_t begin, int parent) {
        const std::size_t common = common_length(input(low), input(high - 1));  // sorted, so all between agree too
        const bool equal = common == input(low).size() && common == input(high - 1).size();
        if (common > begin && (equal || common - begin >= shortest_shared_run)) {
            parent = add(low, begin, common, parent);
            begin = common;
        }
        for (std::size_t i = low, end; i < high; i = end) {
            end = end_of_branch(i, high, common);
            if (input(i).size() == begin)
                std::fill(tree_.leaf.begin() + std::ptrdiff_t(i), tree_.leaf.begin() + std::ptrdiff_t(end), parent);
            else grow(i, end, begin, parent);
        }
    }

    /// Behind the last request from i on that goes on at `common` as request i does.
    std::size_t end_of_branch(std::size_t i, std::size_t high, std::size_t common) const {
        const auto next = [&](std::size_t k) { return input(k).size() > common ? input(k)[common] : std::int64_t(-1); };
        std::size_t end = i + 1;
        while (end < high && next(end) == next(i)) ++end;
        return end;
    }

    int add(std::size_t i, std::size_t begin, std::size_t end, int parent) {
        const int depth = parent < 0 ? 0 : tree_.nodes[std::size_t(parent)].depth + 1;
        if (parent >= 0) tree_.nodes[std::size_t(parent)].has_children = true;
        tree_.nodes.push_back({parent, depth, batch_[i], begin, end, false});
        return int(tree_.nodes.size()) - 1;
    }

    const std::vector<EncodedRequest>& requests_;
    std::span<const std::size_t> batch_;
    PrefixTree tree_;
};

}  // namespace

std::int64_t PrefixTree::tokens() const {
    std::int64_t sum = 0;
    for (const PrefixNode& node : nodes) sum += node.tokens();
    return sum;
}

int PrefixTree::node_at(std::size_t i, std::size_t position) const {
    int node = leaf[i];
    while (nodes[std::size_t(node)].begin > position) node = nodes[std::size_t(node)].parent;
    return node;
}

PrefixTree prefix_tree(const std::vector<EncodedRequest>& requests, std::span<const std::size_t> batch) {
    return Builder(requests, batch).take();
}

std::vector<std::size_t> sorted_by_input(const std::vector<EncodedRequest>& requests) {
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return requests[a].input < requests[b].input; });
    return order;
}

std::size_t batch_size(const std::vector<EncodedRequest>& requests, std::span<const std::size_t> order, std::size_t first,
                       double state_bytes, double key_value_bytes, double budget) {
    std::vector<std::size_t> branches;  // where the path of the latest request has branched, in tokens
    double bytes = 0;
    std::size_t i = first;
    for (; i < order.size(); ++i) {
        const Ids& ids = requests[order[i]].input;
        const std::size_t shared = i > first ? common_length(requests[order[i - 1]].input, ids) : 0;
        while (!branches.empty() && branches.back() > shared) branches.pop_back();
        if (shared > 0 && (branches.empty() || branches.back() < shared)) {
            branches.push_back(shared);
            bytes += double(shared) * key_value_bytes;
        }
        bytes += double(ids.size() - shared) * state_bytes;
        if (i > first && bytes > budget) break;
    }
    return i - first;
}

}  // namespace suture
