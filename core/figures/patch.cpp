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

bool normalised(const Patch& patch) { return patch.map && patch.map->norm_eps > 0; }

/// Why a repair that changes kept layers has nothing of the kind that `what` names.
std::string no_map(const Patch& patch, const std::string& what) {
    return repair_kind(patch.kind).label + " changes the down " + (patch.edited.size() == 1 ? "projection" : "projections") + " of " +
           layer_words(LayerSet(patch.edited)) + " and puts nothing at the seam, so there is no " + what + " to show.";
}

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

/// Of P, or of M where the increment is predicted from the normalised stream.
std::vector<double> diagonal_of(const StreamMap& map) {
    std::vector<double> diagonal;
    for (std::int64_t i = 0; i < map.matrix.size(0); ++i) diagonal.push_back(double(map.matrix.at(i, i)));
    return diagonal;
}

/// Of I + L·R.
std::vector<double> diagonal_of_factors(const StreamMap& map) {
    std::vector<double> diagonal;
    for (std::int64_t i = 0; i < map.left.size(0); ++i) {
        double sum = 1;
        for (std::int64_t r = 0; r < map.left.size(1); ++r) sum += double(map.left.at(i, r)) * double(map.right.at(r, i));
        diagonal.push_back(sum);
    }
    return diagonal;
}

/// What the curve is to P, in words.
std::string scale_words(const StreamMap& map) {
    if (map.norm_eps > 0) return "x' = x + x̂·M is no scaling: M's diagonal is shown, in falling order";
    if (!map.left.empty()) return "P = I + L·R of rank " + std::to_string(map.left.size(1)) + ": its diagonal is shown, in falling order";
    if (!map.matrix.empty()) return "P is no scaling: its diagonal is shown, in falling order";
    if (map.scale.data.size() == 1) return "one factor for all channels, P = c·I";
    if (map.hadamard) return "P = H·diag(d)·Hᵀ, so d is P's spectrum";
    return "P = diag(d), so d is P's diagonal and its spectrum";
}

std::string range_words(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return significant(*low, 4) + " … " + significant(*high, 4);
}

void add_map_facts(const Patch& patch, Table& table) {
    const StreamMap& map = *patch.map;
    const auto add = [&](const std::string& fact, Cell value) { table.rows.push_back({fact, std::move(value)}); };
    if (!patch.hadamard.empty()) add("H", patch.hadamard);
    if (map.norm_eps > 0) add("form", std::string("x' = x + x̂·M, x̂ the normalised stream"));
    if (!map.left.empty()) add("rank", map.left.size(1));
    if (!map.bias.empty()) add("additive term", std::string("yes"));
    if (patch.frobenius > 0) {
        const std::string of = map.norm_eps > 0 ? "M" : "P";
        add("trace of " + of, patch.trace);
        add("Frobenius norm of " + of, patch.frobenius);
    }
    if (!map.scale.empty()) add("range of d", range_words(map.scale.data));
}

}  // namespace

Figure patch_matrix(const Patch* patch, const Array<float>* matrix, bool without_diagonal) {
    const Axis out{.title = "channel out", .integers = true}, in{.title = "channel in", .integers = true};
    const bool increment = patch && normalised(*patch);
    const std::string name = increment ? "M" : "P", what = increment ? "The increment M of the normalised stream" : "The patch P";
    Figure result = figure("patch-matrix", what + (without_diagonal ? " without its diagonal" : ""), out, in, missing(patch));
    if (!patch) return result;
    if (!patch->map) result.empty = no_map(*patch, "matrix P");
    else if (!matrix || matrix->empty()) result.empty = name + " is being made as a dense matrix.";
    if (!result.empty.empty()) return result;
    HeatMap map{.values = pooled(*matrix, without_diagonal), .value_title = "entry of " + name, .diverging = true, .rows_downwards = true};
    const std::int64_t channels = matrix->size(0), side = map.values.size(0);
    map.row_scale = map.column_scale = double(channels) / double(side);
    result.map = std::move(map);
    const std::string cells = side < channels ? "each cell the largest of its entries" : "";
    result.caption = joined({patch->seam.words(), increment ? "x' = x + x̂·M" : "", grouped(channels) + " × " + grouped(channels), cells});
    return result;
}

Figure patch_scale(const Patch* patch) {
    const StreamMap none, &map = patch && patch->map ? *patch->map : none;
    const bool scaling = !patch || !map.scale.empty() || !patch->map;
    const std::string of = map.norm_eps > 0 ? "M" : "P";
    Figure result = figure("patch-scale", scaling ? "Scaling d" : "Diagonal of " + of, {.title = "rank", .integers = true},
                           {.title = scaling ? "factor d" : "entry of " + of + "'s diagonal"}, missing(patch));
    if (!patch) return result;
    if (!patch->map) {
        result.empty = no_map(*patch, "scaling d");
        return result;
    }
    std::vector<double> d = scaling ? map.scale.data : map.left.empty() ? diagonal_of(map) : diagonal_of_factors(map);
    Series series{.name = scaling ? "d" : "diagonal", .role = Role::Patched};
    std::sort(d.begin(), d.end(), std::greater<>());
    for (std::size_t i = 0; i < d.size(); ++i) series.x.push_back(double(i + 1));
    if (d.size() == 1) series.style = Series::Style::Points;
    series.y = std::move(d);
    result.series.push_back(std::move(series));
    result.guides.push_back({map.norm_eps > 0 ? 0.0 : 1.0, "unchanged"});
    result.caption = joined({patch->seam.words(), scale_words(map)});
    return result;
}

std::string repair_words(const std::string& kind, const nlohmann::json& settings) {
    std::string words = settings.contains("merged") ? settings["merged"].get<std::string>() : repair_kind(kind).label;
    if (settings.contains("imported")) words += ", imported from " + settings["imported"].get<std::string>();
    if (fine_tuned(settings)) words += ", fine-tuned";
    return words;
}

Table patch_facts(const Patch* patch, const nlohmann::json& settings) {
    Table table{.title = "The patch", .columns = {{"fact"}, {"value", 4}}};
    if (!patch) return table;
    const auto add = [&](const std::string& fact, Cell value) { table.rows.push_back({fact, std::move(value)}); };
    add("repair", repair_words(patch->kind, settings));
    if (settings.contains("definition"))
        add("definition of d",
            std::string(settings["definition"] == "script" ? "mean of the windows' ratios" : "ratio of sums over all tokens"));
    if (patch->ridge > 0)
        add("ridge λ",
            significant(patch->ridge, 3) + (settings.value("ridge", nlohmann::json()) == "searched" ? ", found on held-out windows" : ""));
    if (settings.contains("massive"))
        add("massive tokens in the fit", std::string(settings["massive"] == "mask" ? "left out" : "weighted down to the median norm"));
    add("seam", patch->seam.words());
    if (settings.value("fit", "") == "sequential" && patch->map) add("fitted on", std::string("the stream as already patched"));
    if (!patch->edited.empty()) add("changed down projections", layer_words(LayerSet(patch->edited)));
    if (patch->map) add_map_facts(*patch, table);
    if (fine_tuned(settings)) return table;  // of trained weights no error is known
    add("relative error, median token", measured(patch->error_median));
    add("relative error, all tokens (Frobenius)", measured(patch->error_frobenius));
    return table;
}

}  // namespace suture
