// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/seam_statistics.h"

#include "core/model/internal/token_progress.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

at::Tensor copied(std::span<const double> values, at::IntArrayRef shape) {
    return at::from_blob(const_cast<double*>(values.data()), shape, at::kDouble).clone();
}

/// Adds windows of (given, expected) rows.
class Sums {
public:
    Sums(std::int64_t hidden, bool gram) : hadamard_(Hadamard::of_size(hidden)) {
        for (int basis = 0; basis < 2; ++basis) {
            const auto zero = at::zeros({hidden}, at::kDouble);
            s_.square_given[basis] = zero.clone();
            s_.square_expected[basis] = zero.clone();
            s_.product[basis] = zero.clone();
        }
        if (gram) {
            s_.gram = at::zeros({hidden, hidden}, at::kDouble);
            s_.cross = at::zeros({hidden, hidden}, at::kDouble);
        }
    }

    /// Rows [n, C] float32 of one window.
    void add(const at::Tensor& given, const at::Tensor& expected) {
        const at::Tensor x[2]{given, hadamard_.apply(given)}, y[2]{expected, hadamard_.apply(expected)};
        for (int basis = 0; basis < 2; ++basis) {
            const auto a = x[basis].to(at::kDouble), b = y[basis].to(at::kDouble);  // [n, C]
            abs_given_[basis].push_back(a.abs().sum(0));
            abs_expected_[basis].push_back(b.abs().sum(0));
            s_.square_given[basis] += a.square().sum(0);
            s_.square_expected[basis] += b.square().sum(0);
            s_.product[basis] += (a * b).sum(0);
            if (basis == 0 && s_.gram.defined()) {
                s_.gram += at::matmul(a.t(), a);
                s_.cross += at::matmul(a.t(), b - a);
            }
        }
        s_.l2_given += given.norm(2, {1}).sum(at::kDouble).item<double>();
        s_.l2_expected += expected.norm(2, {1}).sum(at::kDouble).item<double>();
        tokens_ += double(given.size(0));
    }

    SeamStatistics finish() {
        for (int basis = 0; basis < 2; ++basis) {
            s_.abs_given[basis] = at::stack(abs_given_[basis]);
            s_.abs_expected[basis] = at::stack(abs_expected_[basis]);
        }
        s_.l2_given /= tokens_;
        s_.l2_expected /= tokens_;
        return std::move(s_);
    }

private:
    const Hadamard& hadamard_;
    SeamStatistics s_;
    std::vector<at::Tensor> abs_given_[2], abs_expected_[2];
    double tokens_ = 0;
};

/// What happens to the stream before layer `point` of the dense model would run. The variant has no map there yet.
std::vector<Step> steps_before(const Variant& variant, int layers, int point) {
    std::vector<Step> before;
    for (const Step& step : variant.steps(layers)) {
        if (step.layer >= point) break;
        before.push_back(step);
    }
    return before;
}

void run_steps(const Decoder& decoder, std::vector<at::Tensor>& states, const std::vector<Step>& steps, std::size_t first_window,
               TokenProgress& progress) {
    for (const Step& step : steps) advance(decoder, step, states, std::int64_t(first_window), progress);
}

std::int64_t layer_passes(const std::vector<Step>& steps) {
    return std::count_if(steps.begin(), steps.end(), [](const Step& step) { return !step.map; });
}

std::vector<Step> dense_steps(int from, int to) {
    std::vector<Step> steps;
    for (int layer = from; layer < to; ++layer) steps.push_back({.layer = layer});
    return steps;
}

}  // namespace

double SeamStatistics::gap() const { return (square_given[0] - 2 * product[0] + square_expected[0]).sum().item<double>(); }

SeamStatistics dense_seam(const Statistics& statistics, Seam seam) {
    const std::int64_t windows = statistics.windows(), c = statistics.hidden;
    SeamStatistics s;
    for (int basis = 0; basis < 2; ++basis) {
        s.abs_given[basis] = copied(statistics.channel_abs.row(basis, seam.start), {windows, c});
        s.abs_expected[basis] = copied(statistics.channel_abs.row(basis, seam.end), {windows, c});
        s.square_given[basis] = copied(statistics.square.row(basis, seam.start), {c});
        s.square_expected[basis] = copied(statistics.square.row(basis, seam.end), {c});
        s.product[basis] = copied(statistics.product.row(basis, statistics.pair_index(seam.start, seam.end)), {c});
    }
    s.l2_given = statistics.mean_l2(seam.start);
    s.l2_expected = statistics.mean_l2(seam.end);
    return s;
}

SeamStatistics observe_seam(const Decoder& decoder, const Variant& before, Seam seam, const Windows& windows, std::int64_t group, bool gram,
                            Progress& progress) {
    const int layers = decoder.architecture().layers;
    const auto given_steps = steps_before(before, layers, seam.start);
    const bool same_prefix =
        prefix_digest(given_steps, given_steps.size()) == prefix_digest(dense_steps(0, seam.start), std::size_t(seam.start));
    const std::int64_t passes = seam.end + (same_prefix ? 0 : layer_passes(given_steps));
    TokenProgress tokens(progress, "Fitting at " + seam.words(), windows.tokens(), passes);
    Sums sums(decoder.architecture().hidden, gram);
    for (std::size_t first = 0; first < windows.ids.size(); first += std::size_t(group)) {
        std::vector<at::Tensor> expected;  // one [T, C] per window
        for (std::size_t w = first; w < std::min(windows.ids.size(), first + std::size_t(group)); ++w)
            expected.push_back(decoder.embed(windows.ids[w]));
        auto given = expected;
        run_steps(decoder, expected, dense_steps(0, seam.start), first, tokens);
        if (same_prefix) given = expected;
        else run_steps(decoder, given, given_steps, first, tokens);
        run_steps(decoder, expected, dense_steps(seam.start, seam.end), first, tokens);
        for (std::size_t i = 0; i < given.size(); ++i) {
            const auto& counted = windows.counted[first + i];
            std::vector<std::int64_t> rows;
            for (std::size_t t = 0; t < counted.size(); ++t)
                if (counted[t]) rows.push_back(std::int64_t(t));
            if (rows.empty()) continue;
            const auto index = at::tensor(rows, at::kLong);
            sums.add(given[i].index_select(0, index), expected[i].index_select(0, index));
        }
    }
    return sums.finish();
}

}  // namespace suture
