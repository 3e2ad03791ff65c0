// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/check.h"

#include "core/base/error.h"

namespace suture {
namespace {

void check_count(const SelectionInput& input, int n) {
    const int layers = input.layers();
    if (input.protection.ends > 0) check_removal_count(layers, n);
    else if (n < 1 || n > layers - 1)
        throw usage_error("removing " + std::to_string(n) + " layers is not possible: of " + std::to_string(layers) +
                          " layers one has to stay, so 1 to " + std::to_string(layers - 1) + " can go");
    const auto removable = removable_layers(layers, input.protection, input.statistics);
    if (int(removable.size()) < n)
        throw usage_error("removing " + std::to_string(n) + " layers is not possible: the protected ones leave " +
                          std::to_string(removable.size()) + " of " + std::to_string(layers));
}

}  // namespace

void check_ranking(const SelectionInput& input, const std::string& name, int n) {
    const Criterion& criterion = criterion_named(name);
    if (criterion.needs.repair && !repair_kind(input.repair).fitted)
        throw usage_error("criterion " + name + " needs a repair whose error it can measure, which \"" + input.repair +
                          "\" has not; give one like linearpatch");
    check_count(input, n);
    if (criterion.check) criterion.check(criterion, input, n);
}

}  // namespace suture
