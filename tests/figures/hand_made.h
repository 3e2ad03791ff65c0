// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics small enough to work out every figure by hand.
#pragma once

#include <QtTest/QtTest>
#include <limits>

#include "core/base/figure.h"
#include "core/base/table.h"
#include "core/figures/seam_view.h"

namespace suture::test {

inline const nlohmann::json text_conditions = {{"text", "wiki.txt"}, {"windows", 2}, {"seqlen", 3}, {"bos", "never"}};

template <class T>
void set_row(std::span<T> row, const std::vector<T>& values) {
    Q_ASSERT(row.size() == values.size());
    std::copy(values.begin(), values.end(), row.begin());
}

/// 2 layers, 4 channels, windows of 3 and 2 tokens of which the last is left out: 4 count. Only the seam of layer 1 is filled.
inline Statistics small_statistics() {
    Statistics s;
    s.layers = 2;
    s.hidden = 4;
    s.conditions = text_conditions;
    s.window_begin = {0, 3, 5};
    s.ids = {7, 8, 9, 7, 6};
    s.counted = {1, 1, 1, 1, 0};
    s.channel_abs = Array<double>({2, 3, 2, 4});
    set_row(s.channel_abs.row(0, 1), {3, 6, 0, 1, 1, 2, 0, 3});  // means 1 2 0 1
    set_row(s.channel_abs.row(0, 2), {6, 2, 4, 1, 2, 2, 0, 3});  // means 2 1 1 1
    set_row(s.channel_abs.row(1, 1), {2, 2, 2, 2, 2, 2, 2, 2});  // means 1 1 1 1
    set_row(s.channel_abs.row(1, 2), {4, 2, 1, 8, 4, 2, 3, 8});  // means 2 1 1 4
    s.square = Array<double>({2, 3, 4});
    set_row(s.square.row(0, 1), {4, 8, 0, 4});
    set_row(s.square.row(0, 2), {16, 4, 4, 4});
    set_row(s.square.row(1, 1), {4, 4, 4, 4});
    set_row(s.square.row(1, 2), {16, 4, 4, 64});
    s.product = Array<double>({2, 3, 4});
    set_row(s.product.row(0, 2), {8, 4, 0, 4});  // pair (1, 2) is the third of three
    set_row(s.product.row(1, 2), {8, 4, 4, 14});
    s.peak = Array<double>({2, 3}, {0, 3, 7, 0, 1.5, 11});
    s.token_l2 = Array<float>({3, 5}, {100, 200, 300, 400, 500, 1, 2, 3, 4, 5, 10, 20, 30, 40, 50});
    s.token_abs = Array<float>({2, 3, 5});
    set_row(s.token_abs.row(0, 1), {1, 1, 2, 1, 1});
    set_row(s.token_abs.row(0, 2), {2, 4, 2, 8, 100});  // ratios 2 4 1 8
    set_row(s.token_abs.row(1, 1), {1, 1, 1, 1, 1});
    set_row(s.token_abs.row(1, 2), {2, 2, 2, 2, 9});
    s.sample_tokens = {0, 2, 4};
    s.sample = Array<float>({3, 3, 4});
    set_row(s.sample.row(1), {1, -2, 0, 1, 3, 0, 0, -1, 0, 4, 0, 2});
    set_row(s.sample.row(2), {2, -1, 1, 1, 6, 0, -1, -1, 0, 2, 0, 2});
    return s;
}

/// The small statistics' sampled tokens behind some dense patch, [3, 4].
inline Array<float> small_patched_sample() { return Array<float>({3, 4}, {2, -1, 0, 1, 5, 1, 0, -1, 9, 9, 9, 9}); }

inline Patch patch_of(StreamMap map) {
    Patch patch;
    patch.seam = {1, 2};
    patch.kind = map.kind;
    patch.map = std::make_shared<const StreamMap>(std::move(map));
    return patch;
}
inline Patch scalar_patch(double c) { return patch_of({.kind = "scalar", .scale = Array<double>({1}, c)}); }
inline Patch channel_patch(std::vector<double> d) { return patch_of({.kind = "channel", .scale = Array<double>({4}, std::move(d))}); }
inline Patch linear_patch(std::vector<double> d) {
    return patch_of({.kind = "linearpatch", .scale = Array<double>({4}, std::move(d)), .hadamard = true});
}
inline Patch dense_patch(std::vector<float> p) { return patch_of({.kind = "ridge", .matrix = Array<float>({4, 4}, std::move(p))}); }

/// Equal within 1e-12, NaN equal to NaN.
inline bool near(const std::vector<double>& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](double x, double y) { return (std::isnan(x) && std::isnan(y)) || std::abs(x - y) < 1e-12; });
}

/// The series of this name; fails the look-up with an empty one.
inline Series series_named(const Figure& figure, const std::string& name) {
    for (const Series& series : figure.series)
        if (series.name == name) return series;
    return {.name = "no series " + name};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace suture::test
