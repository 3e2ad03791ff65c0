// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluation/internal/walk.h"

#include <numeric>
#include <set>

namespace suture {
namespace {

class Walk {
public:
    Walk(const Decoder& decoder, const std::vector<Plan>& plans, std::int64_t first_window, TokenProgress& progress, const AtEnd& at_end)
        : decoder_(decoder), plans_(plans), first_window_(first_window), progress_(progress), at_end_(at_end) {}

    /// `plans`: those whose first `depth` steps made `states`.
    void run(std::vector<at::Tensor> states, std::size_t depth, const std::vector<std::size_t>& plans) const {
        while (true) {
            std::map<std::string, std::vector<std::size_t>> next;
            for (const std::size_t p : plans) next[depth < plans_[p].size() ? plans_[p][depth].name() : "end"].push_back(p);
            if (next.size() > 1) {
                for (const auto& [name, branch] : next) run(states, depth, branch);
                return;
            }
            if (depth == plans_[plans[0]].size()) return at_end_(states, plans);
            advance(decoder_, plans_[plans[0]][depth], states, first_window_, progress_);
            ++depth;
        }
    }

private:
    const Decoder& decoder_;
    const std::vector<Plan>& plans_;
    std::int64_t first_window_;
    TokenProgress& progress_;
    const AtEnd& at_end_;
};

}  // namespace

std::int64_t distinct_layer_passes(const std::vector<Plan>& plans) {
    std::set<std::string> prefixes;
    for (const Plan& plan : plans)
        for (std::size_t i = 0; i < plan.size(); ++i)
            if (!plan[i].map) prefixes.insert(prefix_digest(plan, i + 1));
    return std::int64_t(prefixes.size());
}

void walk_plans(const Decoder& decoder, const std::vector<Plan>& plans, std::vector<at::Tensor> states, std::int64_t first_window,
                TokenProgress& progress, const AtEnd& at_end) {
    std::vector<std::size_t> all(plans.size());
    std::iota(all.begin(), all.end(), 0);
    Walk(decoder, plans, first_window, progress, at_end).run(std::move(states), 0, all);
}

}  // namespace suture
