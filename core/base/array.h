// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with a shape, as they leave the rooms that compute: row-major, owned, without torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

namespace suture {

/// A dense row-major array. `at(i, j, …)` indexes from the left; `row(i, j, …)` is the contiguous rest.
template <class T>
struct Array {
    std::vector<std::int64_t> shape;
    std::vector<T> data;

    Array() = default;
    explicit Array(std::vector<std::int64_t> s, T fill = T{}) : shape(std::move(s)), data(std::size_t(count(shape)), fill) {}
    Array(std::vector<std::int64_t> s, std::vector<T> values) : shape(std::move(s)), data(std::move(values)) {}

    bool empty() const { return data.empty(); }
    std::int64_t size(std::size_t axis) const { return shape[axis]; }

    template <class... I>
    T& at(I... index) {
        return data[offset({std::int64_t(index)...})];
    }
    template <class... I>
    const T& at(I... index) const {
        return data[offset({std::int64_t(index)...})];
    }

    /// The values behind the leading indices: for shape [A, B, C], row(a) has B·C values and row(a, b) has C.
    template <class... I>
    std::span<const T> row(I... index) const {
        return {data.data() + offset({std::int64_t(index)...}), length(sizeof...(I))};
    }
    template <class... I>
    std::span<T> row(I... index) {
        return {data.data() + offset({std::int64_t(index)...}), length(sizeof...(I))};
    }

    bool operator==(const Array&) const = default;

private:
    static std::int64_t count(std::span<const std::int64_t> s) {
        return std::accumulate(s.begin(), s.end(), std::int64_t{1}, std::multiplies<>());
    }
    std::size_t length(std::size_t from) const { return std::size_t(count(std::span(shape).subspan(from))); }
    std::size_t offset(std::initializer_list<std::int64_t> index) const {
        std::size_t result = 0, axis = 0;
        for (auto i : index) result += std::size_t(i) * length(++axis);
        return result;
    }
};

/// Two axes, rows first: shape [rows, columns].
using Matrix = Array<double>;

}  // namespace suture
