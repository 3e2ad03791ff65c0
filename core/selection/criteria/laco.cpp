// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/internal/as_tensor.h"
#include "core/model/merges.h"
#include "core/selection/internal/merge.h"
#include "core/selection/internal/ranks.h"
#include "core/selection/internal/state_cache.h"

namespace suture {
namespace {

/// LaCo's loop: from the output towards the input, a group of layers becomes one as long as the final states stay similar.
class Collapse {
public:
    Collapse(const SelectionInput& input, int n)
        : input_(input),
          wanted_(n),
          decoder_(input.model, input.compute),
          cache_(decoder_, *input.windows, state_budget(*input.model, *input.windows, input.compute)),
          removable_(removable_layers(input.layers(), input.protection, input.statistics)),
          group_(int(std::min<std::int64_t>(input.settings.laco_group, n + 1))) {}

    Ranking run() {
        require_predictions(*input_.windows);
        double threshold = input_.settings.laco_threshold;
        input_.tell().begin("Merging layers", 0, "merges tried");
        dense_ = final_states(Variant());
        Variant found = collapse(threshold);
        while (found.removed().size() < wanted_ && threshold > -1) found = collapse(threshold -= 0.1);
        if (found.removed().size() < wanted_)
            throw usage_error("criterion laco: the protected layers, which are neither removed nor changed, leave too few groups to merge");
        Ranking ranking{.criterion = "laco", .removed = found.removed(), .scores = similarity_, .blocks = false};
        ranking.parameters = {{"threshold", input_.settings.laco_threshold},
                              {"threshold_used", threshold},
                              {"group", input_.settings.laco_group},
                              {"interval", input_.settings.laco_interval},
                              {"merges", merges_json(found)}};
        ranking.merged = std::move(found);
        return ranking;
    }

private:
    /// Merges until n layers are gone or no group is left.
    Variant collapse(double threshold) {
        Variant variant;
        std::vector<int> kept = LayerSet().complement(input_.layers()).layers();
        similarity_.clear();
        hold(variant);
        int place = int(kept.size()) - group_;
        while (place >= 0 && variant.removed().size() < wanted_) {
            const auto others = followers(kept, place, wanted_ - variant.removed().size());
            if (others.empty() || !may_change(kept[std::size_t(place)])) {
                --place;
                continue;
            }
            const int base = kept[std::size_t(place)];
            Variant candidate = merged(*input_.model, variant, base, others);
            similarity_[base] = similarity(candidate);
            if (similarity_[base] <= threshold) {
                --place;
                continue;
            }
            variant = std::move(candidate);
            hold(variant);
            std::erase_if(kept, [&](int layer) { return variant.removed().contains(layer); });
            place = std::min(place - int(input_.settings.laco_interval), int(kept.size()) - group_);
        }
        return variant;
    }

    /// A protected layer stays as it is: it neither goes nor takes others up.
    bool may_change(int layer) const { return std::find(removable_.begin(), removable_.end(), layer) != removable_.end(); }

    /// The layers behind `place` that may be merged into it: as many as a group takes, up to the first one that has to stay.
    std::vector<int> followers(const std::vector<int>& kept, int place, int most) const {
        std::vector<int> layers;
        for (std::size_t i = std::size_t(place) + 1; i < kept.size() && int(layers.size()) < std::min(group_ - 1, most); ++i) {
            if (!may_change(kept[i])) break;
            layers.push_back(kept[i]);
        }
        return layers;
    }

    void hold(const Variant& variant) {
        const Plan plan(variant, input_.layers());
        cache_.hold(std::span(&plan, 1), input_.tell());
    }

    /// Behind the final norm, the counted tokens only: [n, C] per window.
    std::vector<at::Tensor> final_states(const Variant& variant) {
        const Architecture& a = input_.model->architecture();
        auto weight = as_tensor(input_.model->tensors(), a.final_norm + ".weight").to(at::kFloat);  // [C]
        if (a.norm_plus_one) weight = weight + 1;
        const auto x = cache_.behind(Plan(variant, input_.layers()), 0, cache_.windows(), input_.tell());  // [ΣT, C]
        const auto normed = rms_normalised(x, a.norm_eps) * weight;
        std::vector<at::Tensor> states;
        std::int64_t row = 0;
        for (const auto& counted : input_.windows->counted) {
            std::vector<std::int64_t> rows;
            for (const bool counts : counted) {
                if (counts) rows.push_back(row);
                ++row;
            }
            if (!rows.empty()) states.push_back(normed.index_select(0, at::tensor(rows, at::kLong)));
        }
        return states;
    }

    /// Cosine of the flattened final states with the dense model's, mean over windows.
    double similarity(const Variant& variant) {
        const std::string name = variant.to_json().dump();
        if (const auto it = known_.find(name); it != known_.end()) return it->second;
        const auto states = final_states(variant);
        double sum = 0;
        for (std::size_t w = 0; w < states.size(); ++w)
            sum += at::cosine_similarity(states[w].flatten().to(at::kDouble), dense_[w].flatten().to(at::kDouble), 0).item<double>();
        input_.tell().step();
        return known_[name] = sum / double(states.size());
    }

    const SelectionInput& input_;
    int wanted_;
    Decoder decoder_;
    StateCache cache_;
    std::vector<int> removable_;
    int group_;
    std::vector<at::Tensor> dense_;
    std::map<int, double> similarity_;     // by base, of the last merge tried there
    std::map<std::string, double> known_;  // by variant: a lower threshold tries many of them again
};

Ranking rank_by_collapse(const SelectionInput& input, int n) {
    const c10::InferenceMode no_gradients;
    return Collapse(input, n).run();
}

void check_laco(const Criterion&, const SelectionInput& input, int) {
    if (input.settings.laco_group < 2) throw usage_error("--laco-group: a merge makes at least 2 layers into one");
    if (input.settings.laco_interval < 1) throw usage_error("--laco-interval: at least 1 layer is stepped on after a merge");
}

}  // namespace

extern const Criterion criterion_laco;
const Criterion criterion_laco{
    .order = 14,
    .name = "laco",
    .label = "LaCo merge",
    .help = "Groups of layers are merged into their first one, from the output on, while the final states stay similar (LaCo).",
    .needs = {.weights = true, .evaluations = true},
    .rank = rank_by_collapse,
    .check = check_laco,
    .memory = [](const Model& model, const Windows& windows,
                 const ComputeSettings& compute) { return estimate_states(model, windows, compute, 1); },
};

}  // namespace suture
