// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/criterion.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/selection/check.h"

namespace suture {

const std::vector<Setting<SelectionSettings>>& SelectionSettings::fields() {
    static const std::vector<Setting<SelectionSettings>> list{
        {"angular",
         "Angle at",
         "angular: at each window's last token, as published, or the mean over all tokens",
         &SelectionSettings::angular,
         {"last", "all"}},
        {"no-plus", "Without the '+' rule", "ppl, taylor, magnitude: layers 0 to 3 and the last two may go too",
         &SelectionSettings::no_plus},
        {"laco-threshold", "LaCo threshold",
         "laco: a merge stays when the cosine of the final states with the dense model's is above this; lowered by 0.1 until enough layers "
         "are merged",
         &SelectionSettings::laco_threshold},
        {"laco-group", "LaCo group", "laco: layers that one merge makes into one, at most", &SelectionSettings::laco_group},
        {"laco-interval", "LaCo interval", "laco: layers to step towards the input after an accepted merge",
         &SelectionSettings::laco_interval},
    };
    return list;
}

int SelectionInput::layers() const {
    if (statistics) return statistics->layers;
    return model ? model->architecture().layers : 0;
}

Progress& SelectionInput::tell() const {
    static thread_local Progress silent;
    return progress ? *progress : silent;
}

std::vector<const Criterion*> every_criterion() {
    const auto all = all_criteria();
    std::vector<const Criterion*> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    return sorted;
}

std::vector<const Criterion*> criteria() {
    auto instant = every_criterion();
    std::erase_if(instant, [](const Criterion* criterion) { return !criterion->needs.instant(); });
    return instant;
}

const Criterion& criterion_named(const std::string& name) {
    std::string known;
    for (const Criterion* criterion : every_criterion()) {
        if (criterion->name == name) return *criterion;
        known += (known.empty() ? "" : ", ") + criterion->name;
    }
    throw usage_error("there is no criterion named \"" + name + "\"; known are " + known);
}

void check_removal_count(int layers, int n) {
    if (layers < 3)
        throw usage_error("a model of " + std::to_string(layers) + " layers has none to choose from: the first and the last stay");
    if (n < 1 || n > layers - 2)
        throw usage_error("removing " + std::to_string(n) + " layers is not possible: of " + std::to_string(layers) +
                          " layers the first and the last stay, so 1 to " + std::to_string(layers - 2) + " can go");
}

namespace {

void check_needs(const SelectionInput& input, const Criterion& criterion) {
    const auto missing = [&](const std::string& what) { return usage_error("criterion " + criterion.name + " needs " + what); };
    if (criterion.needs.statistics && !input.statistics) throw missing("the statistics of a calibration; give a text");
    if (criterion.needs.model() && !input.model) throw missing("the model itself, not only statistics of it");
    if (criterion.needs.windows() && !input.windows) throw missing("windows of a calibration text; give one");
}

}  // namespace

Ranking rank_layers(const SelectionInput& input, const std::string& name, int n) {
    const Criterion& criterion = criterion_named(name);
    check_needs(input, criterion);
    check_ranking(input, name, n);
    return criterion.rank(input, n);
}

Ranking rank_layers(const Statistics& statistics, const std::string& criterion, int n) {
    return rank_layers({.statistics = &statistics}, criterion, n);
}

}  // namespace suture
