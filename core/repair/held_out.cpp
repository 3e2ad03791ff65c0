// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/held_out.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/evaluation/evaluation.h"

namespace suture {

SplitWindows split_windows(const Windows& windows) {
    const std::size_t count = windows.ids.size();
    if (count < 2)
        throw Error(windows.source + ": one window can't be split into a part to fit on and a part to judge on; take at least 2 windows");
    SplitWindows split{windows, windows};
    for (Windows* part : {&split.fit, &split.held_out}) part->ids.clear(), part->counted.clear();
    for (std::size_t w = 0; w < count; ++w) {
        Windows& part = is_held_out(w, count) ? split.held_out : split.fit;
        part.ids.push_back(windows.ids[w]);
        part.counted.push_back(windows.counted[w]);
    }
    return split;
}

std::size_t best_of(std::shared_ptr<const Model> model, std::span<const Variant> candidates, const Windows& windows,
                    const ComputeSettings& compute, Progress& progress) {
    const auto evaluations = evaluate(model, candidates, windows, compute, 0, progress);
    const auto nll = [&](std::size_t i) {
        const double sum = evaluations[i].nll_sum();
        return std::isfinite(sum) ? sum : std::numeric_limits<double>::infinity();
    };
    std::size_t best = 0;
    for (std::size_t i = 1; i < evaluations.size(); ++i)
        if (nll(i) < nll(best)) best = i;
    return best;
}

}  // namespace suture
