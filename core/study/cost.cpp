// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/cost.h"

namespace suture {
namespace {

/// Multiplications per token of the layers first … end-1 that are not in `without`.
double multiplied(const Model& model, int first, int end, const LayerSet& without = {}) {
    double sum = 0;
    for (int layer = first; layer < end; ++layer)
        if (!without.contains(layer)) sum += double(model.layer_parameters(layer));
    return sum;
}

}  // namespace

double calibration_operations(const Model& model, std::int64_t tokens) {
    constexpr double pair_cost = 30;  // a pair's sums read memory rather than multiply: worth some thirty multiplications per value
    const Architecture& a = model.architecture();
    const double pairs = 0.5 * a.layers * (a.layers + 1);
    return double(tokens) * (2 * multiplied(model, 0, a.layers) + pair_cost * pairs * double(a.hidden));
}

double evaluation_operations(const Model& model, const LayerSet& removed, std::size_t variants, std::int64_t tokens) {
    const Architecture& a = model.architecture();
    const double head = double(a.vocabulary) * double(a.hidden);
    const double behind_first_seam = removed.empty() ? 0 : multiplied(model, removed.layers().front(), a.layers, removed) + head;
    return 2 * double(tokens) * (multiplied(model, 0, a.layers) + head + double(variants) * behind_first_seam);
}

double recommendation_operations(const Model& model, const LayerSet& removed, const TrialSettings& trials, std::int64_t tokens) {
    double maps = 0;  // per token: each seam's sums take a pass up to its end
    for (const Seam& seam : seams_of(removed)) maps += multiplied(model, 0, seam.end);
    const double walk = removed.empty() ? 0 : multiplied(model, 0, seams_of(removed).back().end);  // refits see all seams in one
    double fits = 0;
    std::size_t variants = 1;  // without repair
    for (const std::string& kind : trials.tried()) {
        if (!repair_refusal(kind, model, removed).empty()) continue;
        const std::size_t times = trials.massive_of(kind, {}).size();
        variants += times;
        fits += double(times) * (repair_kind(kind).edits ? walk : maps);
    }
    const std::int64_t held_out = tokens / 4;
    return 2 * double(tokens - held_out) * fits + evaluation_operations(model, removed, variants, held_out);
}

}  // namespace suture
