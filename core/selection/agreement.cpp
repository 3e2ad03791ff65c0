// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/selection/agreement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace suture {
namespace {

/// 0-based ranks, ascending; equal values share the mean of theirs.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
        for (std::size_t i = first; i < end; ++i) ranks[order[i]] = double(first + end - 1) / 2;
        first = end;
    }
    return ranks;
}

/// Of two rankings of equal length, whose means are alike.
double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const double mean = double(a.size() - 1) / 2;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (a[i] - mean) * (b[i] - mean);
        aa += (a[i] - mean) * (a[i] - mean);
        bb += (b[i] - mean) * (b[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : std::numeric_limits<double>::quiet_NaN();
}

nlohmann::json rows_of(const Matrix& matrix) {
    auto rows = nlohmann::json::array();
    for (std::int64_t r = 0; r < matrix.size(0); ++r) {
        auto row = nlohmann::json::array();
        for (const double value : matrix.row(r)) row.push_back(std::isnan(value) ? nlohmann::json() : nlohmann::json(value));
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace

double jaccard(const LayerSet& a, const LayerSet& b) {
    if (a.empty() && b.empty()) return 1;
    const auto common = std::count_if(a.layers().begin(), a.layers().end(), [&](int layer) { return b.contains(layer); });
    return double(common) / double(a.size() + b.size() - int(common));
}

double spearman(const Ranking& a, const Ranking& b) {
    std::vector<double> x, y;
    for (const auto& [place, score] : a.scores) {
        const auto it = b.scores.find(place);
        if (it == b.scores.end() || std::isnan(score) || std::isnan(it->second)) continue;
        x.push_back(a.higher_is_better ? score : -score);
        y.push_back(b.higher_is_better ? it->second : -it->second);
    }
    if (a.blocks != b.blocks || x.size() < 2) return std::numeric_limits<double>::quiet_NaN();
    return correlation(ranks_of(x), ranks_of(y));
}

nlohmann::json Agreement::to_json() const { return {{"names", names}, {"jaccard", rows_of(removed)}, {"spearman", rows_of(scores)}}; }

Agreement agreement(std::span<const Ranking> rankings) {
    const auto count = std::int64_t(rankings.size());
    Agreement result{.names = {}, .removed = Matrix({count, count}), .scores = Matrix({count, count})};
    for (std::int64_t i = 0; i < count; ++i) {
        const Ranking& a = rankings[std::size_t(i)];
        result.names.push_back(a.criterion);
        for (std::int64_t j = 0; j < count; ++j) {
            result.removed.at(i, j) = jaccard(a.removed, rankings[std::size_t(j)].removed);
            result.scores.at(i, j) = spearman(a, rankings[std::size_t(j)]);
        }
    }
    return result;
}

}  // namespace suture
