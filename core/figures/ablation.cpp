// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/ablation.h"

#include <algorithm>

#include "core/figures/internal/parts.h"

namespace suture {
namespace {

template <class T>
void add_new(std::vector<T>& list, const T& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// `value` where the list has it; else the first name, or the greatest number.
template <class T>
T one_of(const std::vector<T>& list, const T& value) {
    if (list.empty() || std::find(list.begin(), list.end(), value) != list.end()) return value;
    if constexpr (std::is_arithmetic_v<T>) return *std::max_element(list.begin(), list.end());
    else return list.front();
}

/// Factors of channels, maps by least squares, and changed kept layers are told apart by colour; within one by mark and shade.
Role role_of(const std::string& repair) {
    if (repair == "merged") return Role::Neutral;
    const RepairInfo info = repair_kind(kind_of_repair(repair));
    if (!info.fitted) return Role::Unpatched;
    return info.edits ? Role::Neutral : info.ridge ? Role::Accent : Role::Patched;
}

std::string curve_name(const std::string& repair) {
    if (repair == "none") return "no repair";
    if (repair == "merged") return repair;
    return repair_kind(kind_of_repair(repair)).label + (fine_tunes(repair) ? ", fine-tuned" : "");
}

bool in_slice(const AblationRow& row, const AblationSlice& slice) {
    const bool here = row.model == slice.model && row.calibration == slice.calibration && row.criterion == slice.criterion;
    return here && !row.removed.empty() && (slice.along_windows ? row.removed.size() == slice.removed : row.windows == slice.windows);
}

Series& curve_of(std::vector<Series>& curves, const std::string& repair) {
    const std::string name = curve_name(repair);
    const auto it = std::find_if(curves.begin(), curves.end(), [&](const Series& s) { return s.name == name; });
    if (it != curves.end()) return *it;
    return curves.emplace_back(Series{.name = name, .role = role_of(repair), .style = Series::Style::LineAndPoints});
}

void add_point(Series& curve, const AblationRow& row, const AblationSlice& slice) {
    const double x = slice.along_windows ? double(row.windows) : double(row.removed.size());
    const auto place = std::upper_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin();  // rows come in any order
    const auto put = [place](auto& list, auto value) { list.insert(list.begin() + place, std::move(value)); };
    const double y = row.perplexity.at(slice.evaluation);
    const auto interval = row.interval.find(slice.evaluation);
    put(curve.x, x);
    put(curve.y, y);
    put(curve.low, interval == row.interval.end() ? y : interval->second.low);
    put(curve.high, interval == row.interval.end() ? y : interval->second.high);
    put(curve.point_labels, "removes " + layer_words(row.removed));
}

bool reaches_far(const std::vector<Series>& curves) {
    constexpr double far = 20;
    double low = curves[0].y[0], high = low;
    for (const Series& curve : curves) {
        low = std::min(low, *std::min_element(curve.y.begin(), curve.y.end()));
        high = std::max(high, *std::max_element(curve.y.begin(), curve.y.end()));
    }
    return high > far * low;
}

}  // namespace

AblationAxes ablation_axes(const Ablation& ablation) {
    AblationAxes axes;
    for (const AblationRow& row : ablation.rows) {
        add_new(axes.models, row.model);
        if (row.removed.empty()) continue;
        add_new(axes.calibrations, row.calibration);
        add_new(axes.criteria, row.criterion);
        add_new(axes.windows, row.windows);
        add_new(axes.removed, int(row.removed.size()));
    }
    return axes;
}

AblationSlice valid_slice(AblationSlice slice, const Ablation& ablation) {
    const AblationAxes axes = ablation_axes(ablation);
    slice.model = one_of(axes.models, slice.model);
    slice.calibration = one_of(axes.calibrations, slice.calibration);
    slice.criterion = one_of(axes.criteria, slice.criterion);
    slice.evaluation = one_of(ablation.evaluation, slice.evaluation);
    slice.windows = one_of(axes.windows, slice.windows);
    slice.removed = one_of(axes.removed, slice.removed);
    return slice;
}

Figure ablation_curves(const Ablation* ablation, const AblationSlice& slice) {
    const Axis windows{.title = "calibration windows", .log = true, .integers = true}, layers{.title = "layers removed", .integers = true};
    Figure result = figure(slice.along_windows ? "ablation-windows" : "ablation-layers",
                           slice.along_windows ? "What more calibration text brings" : "What removing more layers costs",
                           slice.along_windows ? windows : layers,
                           {.title = slice.evaluation.empty() ? "perplexity" : "perplexity on " + slice.evaluation}, "");
    if (ablation)
        for (const AblationRow& row : ablation->rows) {
            const auto value = row.perplexity.find(slice.evaluation);
            if (value == row.perplexity.end()) continue;
            if (row.removed.empty() && row.model == slice.model) result.guides.push_back({value->second, "dense"});
            if (in_slice(row, slice)) add_point(curve_of(result.series, row.repair), row, slice);
        }
    if (result.series.empty()) {
        result.guides.clear();
        result.empty = "Run an ablation to compare repairs over numbers of layers, texts, criteria and models.";
        return result;
    }
    for (Series& curve : result.series)
        if (curve.low == curve.y && curve.high == curve.y) curve.low = curve.high = {};  // too few windows for intervals
    result.y.log = reaches_far(result.series);
    result.caption =
        joined({slice.model, "calibrated on " + slice.calibration, "layers chosen by " + slice.criterion,
                slice.along_windows ? std::to_string(slice.removed) + (slice.removed == 1 ? " layer removed" : " layers removed")
                                    : std::to_string(slice.windows) + " windows"});
    return result;
}

}  // namespace suture
