// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/patch.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

constexpr std::int64_t most_cells = 1024;  // along one side

std::string missing(const Patch* patch) { return patch ? "" : "Choose a repair and fit it to see what it does."; }

/// Entries of largest magnitude, taken straight from float32: a copy of P in float64 would be 134 MB at 4096 channels.
Matrix pooled(const Array<float>& matrix, bool without_diagonal) {
    const std::int64_t channels = matrix.size(0), side = std::min(channels, most_cells);
    std::vector<std::size_t> cell_of(std::size_t(channels), 0);
    for (std::int64_t c = 0; c < channels; ++c) cell_of[std::size_t(c)] = std::size_t(c * side / channels);
    Matrix result({side, side});
    for (std::int64_t r = 0; r < channels; ++r) {
        const auto source = matrix.row(r);
        const auto target = result.row(std::int64_t(cell_of[std::size_t(r)]));
        for (std::size_t c = 0; c < source.size(); ++c) {
            if (without_diagonal && c == std::size_t(r)) continue;
            double& cell = target[cell_of[c]];
            if (std::abs(double(source[c])) > std::abs(cell)) cell = double(source[c]);
        }
    }
    return result;
}

std::vector<double> diagonal_of(const Array<float>& matrix) {
    std::vector<double> diagonal;
    for (std::int64_t i = 0; i < matrix.size(0); ++i) diagonal.push_back(double(matrix.at(i, i)));
    return diagonal;
}

/// What d is to P, in words.
std::string scale_words(const StreamMap& map) {
    if (!map.matrix.empty()) return "P is no scaling: its diagonal is shown, in falling order";
    if (map.scale.data.size() == 1) return "one factor for all channels, P = c·I";
    if (map.hadamard) return "P = H·diag(d)·Hᵀ, so d is P's spectrum";
    return "P = diag(d), so d is P's diagonal and its spectrum";
}

std::string range_words(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return significant(*low, 4) + " … " + significant(*high, 4);
}

}  // namespace

Figure patch_matrix(const Patch* patch, const Array<float>* matrix, bool without_diagonal) {
    const Axis out{.title = "channel out", .integers = true}, in{.title = "channel in", .integers = true};
    Figure result = figure("patch-matrix", without_diagonal ? "The patch P without its diagonal" : "The patch P", out, in, missing(patch));
    if (!patch) return result;
    if (!matrix || matrix->empty()) {
        result.empty = "P is being made as a dense matrix.";
        return result;
    }
    HeatMap map{.values = pooled(*matrix, without_diagonal), .value_title = "entry of P", .diverging = true, .rows_downwards = true};
    const std::int64_t channels = matrix->size(0), side = map.values.size(0);
    map.row_scale = map.column_scale = double(channels) / double(side);
    result.map = std::move(map);
    const std::string cells = side < channels ? "each cell the largest of its entries" : "";
    result.caption = joined({patch->seam.words(), grouped(channels) + " × " + grouped(channels), cells});
    return result;
}

Figure patch_scale(const Patch* patch) {
    const bool dense = patch && !patch->map->matrix.empty();
    Figure result = figure("patch-scale", dense ? "Diagonal of P" : "Scaling d", {.title = "rank", .integers = true},
                           {.title = dense ? "entry of P's diagonal" : "factor d"}, missing(patch));
    if (!patch) return result;
    std::vector<double> d = dense ? diagonal_of(patch->map->matrix) : patch->map->scale.data;
    Series series{.name = dense ? "diagonal" : "d", .role = Role::Patched};
    std::sort(d.begin(), d.end(), std::greater<>());
    for (std::size_t i = 0; i < d.size(); ++i) series.x.push_back(double(i + 1));
    if (d.size() == 1) series.style = Series::Style::Points;
    series.y = std::move(d);
    result.series.push_back(std::move(series));
    result.guides.push_back({1, "unchanged"});
    result.caption = joined({patch->seam.words(), scale_words(*patch->map)});
    return result;
}

Table patch_facts(const Patch* patch, const RepairInfo& info, const RepairSettings& settings) {
    Table table{.title = "The patch", .columns = {{"fact"}, {"value", 4}}};
    if (!patch) return table;
    const auto add = [&](const std::string& fact, Cell value) { table.rows.push_back({fact, std::move(value)}); };
    add("repair", info.label);
    if (info.definition)
        add("definition of d",
            std::string(settings.definition == "script" ? "mean of the windows' ratios" : "ratio of sums over all tokens"));
    if (!patch->map->matrix.empty() && patch->kind == "ridge") add("ridge λ", settings.ridge);
    add("seam", patch->seam.words());
    if (!patch->hadamard.empty()) add("H", patch->hadamard);
    add("trace of P", patch->trace);
    add("Frobenius norm of P", patch->frobenius);
    if (!patch->map->scale.empty()) add("range of d", range_words(patch->map->scale.data));
    add("relative error, median token", measured(patch->error_median));
    add("relative error, all tokens (Frobenius)", measured(patch->error_frobenius));
    return table;
}

}  // namespace suture
