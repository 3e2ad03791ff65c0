// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "core/base/error.h"
#include "core/model/internal/layer_tensors.h"
#include "core/selection/search.h"

namespace suture {
namespace {

std::vector<double> parameters_of(const Model& model) {
    std::vector<double> cost;
    for (int l = 0; l < model.architecture().layers; ++l) cost.push_back(double(model.layer_parameters(l)));
    return cost;
}

std::vector<double> bytes_of(const Model& model) {
    std::vector<double> cost(std::size_t(model.architecture().layers));
    for (const auto& info : model.tensors().tensors())
        if (const int layer = layer_of(model.architecture(), info.name); layer >= 0) cost[std::size_t(layer)] += double(info.bytes);
    return cost;
}

/// One total is shared out by parameters.
std::vector<double> milliseconds_of(const Model& model, std::vector<double> given) {
    const auto layers = std::size_t(model.architecture().layers);
    if (given.size() == layers && layers > 1) return given;
    if (given.size() != 1)
        throw usage_error("a budget in milliseconds needs a layer's time, one for each of the " + std::to_string(layers) +
                          " layers, or one for all together");
    auto cost = parameters_of(model);
    const double all = std::accumulate(cost.begin(), cost.end(), 0.0);
    for (double& layer : cost) layer *= given[0] / all;
    return cost;
}

}  // namespace

Budget Budget::of(const Model& model, const std::string& unit, double amount, std::vector<double> milliseconds) {
    Budget budget{.unit = unit, .amount = amount};
    if (unit == "layers") budget.cost.assign(std::size_t(model.architecture().layers), 1);
    else if (unit == "parameters") budget.cost = parameters_of(model);
    else if (unit == "bytes") budget.cost = bytes_of(model);
    else if (unit == "milliseconds") budget.cost = milliseconds_of(model, std::move(milliseconds));
    else throw usage_error("there is no budget in \"" + unit + "\"; known are layers, parameters, bytes, milliseconds");
    const double all = std::accumulate(budget.cost.begin(), budget.cost.end(), 0.0);
    if (!(amount > 0) || amount > all) {
        char text[160];
        std::snprintf(text, sizeof text,
                      "a budget of %.10g %s is not possible: it has to be above 0, and all layers together come to %.10g", amount,
                      unit.c_str(), all);
        throw usage_error(text);
    }
    return budget;
}

double Budget::cost_of(const LayerSet& removed) const {
    double sum = 0;
    for (const int layer : removed.layers()) sum += cost[std::size_t(layer)];
    return sum;
}

bool Budget::met_by(const LayerSet& removed) const { return cost_of(removed) >= amount * (1 - 1e-12); }

}  // namespace suture
