// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/repair/internal/seam_statistics.h"

#include "core/base/error.h"
#include "core/model/internal/token_progress.h"
#include "core/repair/internal/held_out.h"
#include "core/tensor/internal/arrays.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

at::Tensor copied(std::span<const double> values, at::IntArrayRef shape) {
    return at::from_blob(const_cast<double*>(values.data()), shape, at::kDouble).clone();
}

/// Adds windows of (given, expected) rows.
class Sums {
public:
    Sums(std::int64_t hidden, Predictor predictor, double norm_eps) : hadamard_(Hadamard::of_size(hidden)), predictor_(predictor) {
        const auto zero = at::zeros({hidden}, at::kDouble);
        for (int basis = 0; basis < 2; ++basis)
            for (at::Tensor* sum : {&s_.square_given[basis], &s_.square_expected[basis], &s_.product[basis]}) *sum = zero.clone();
        if (predictor == Predictor::None) return;
        s_.gram = at::zeros({hidden, hidden}, at::kDouble);
        s_.cross = s_.gram.clone();
        s_.predictor_sum = zero.clone();
        s_.increment_sum = zero.clone();
        s_.norm_eps = predictor == Predictor::Normalised ? norm_eps : 0;
    }

    /// Rows [n, C] float32 of one window and how much each counts in least squares, [n] float64.
    void add(const at::Tensor& given, const at::Tensor& expected, const at::Tensor& weights) {
        const at::Tensor x[2]{given, hadamard_.apply(given)}, y[2]{expected, hadamard_.apply(expected)};
        for (int basis = 0; basis < 2; ++basis) {
            const auto a = x[basis].to(at::kDouble), b = y[basis].to(at::kDouble);  // [n, C]
            abs_given_[basis].push_back(a.abs().sum(0));
            abs_expected_[basis].push_back(b.abs().sum(0));
            s_.square_given[basis] += a.square().sum(0);
            s_.square_expected[basis] += b.square().sum(0);
            s_.product[basis] += (a * b).sum(0);
            if (basis == 0 && predictor_ != Predictor::None) add_products(a, b - a, weights.unsqueeze(1));
        }
        s_.l2_given += given.norm(2, {1}).sum(at::kDouble).item<double>();
        s_.l2_expected += expected.norm(2, {1}).sum(at::kDouble).item<double>();
        tokens_ += double(given.size(0));
    }

    bool empty() const { return tokens_ == 0; }

    SeamStatistics finish() {
        if (empty()) return std::move(s_);
        for (int basis = 0; basis < 2; ++basis) {
            s_.abs_given[basis] = at::stack(abs_given_[basis]);
            s_.abs_expected[basis] = at::stack(abs_expected_[basis]);
        }
        s_.l2_given /= tokens_;
        s_.l2_expected /= tokens_;
        return std::move(s_);
    }

private:
    /// x, increment [n, C], weights [n, 1] float64.
    void add_products(const at::Tensor& x, const at::Tensor& increment, const at::Tensor& weights) {
        const auto f = s_.norm_eps > 0 ? rms_normalised(x, s_.norm_eps) : x, weighted = f * weights;
        s_.gram += at::matmul(weighted.t(), f);
        s_.cross += at::matmul(weighted.t(), increment);
        s_.predictor_sum += weighted.sum(0);
        s_.increment_sum += (increment * weights).sum(0);
        s_.increment_square += (increment.square() * weights).sum().item<double>();
        s_.weight += weights.sum().item<double>();
    }

    const Hadamard& hadamard_;
    Predictor predictor_;
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

/// Positions that count, [n] int64; a weight of 0 leaves a row out of every sum.
at::Tensor counted_rows(const std::vector<bool>& counted, const at::Tensor& weights) {
    const auto rows = positions_of(counted);
    return weights.defined() ? rows.index_select(0, (weights.index_select(0, rows) > 0).nonzero().squeeze(1)) : rows;
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

SeamStatistics SeamStatistics::operator+(const SeamStatistics& o) const {
    SeamStatistics s = *this;
    // Token norms are means: weighed by the rows that least squares saw, which are the same on both sides.
    const double share = weight + o.weight > 0 ? weight / (weight + o.weight) : 0.5;
    s.l2_given = share * l2_given + (1 - share) * o.l2_given;
    s.l2_expected = share * l2_expected + (1 - share) * o.l2_expected;
    for (int basis = 0; basis < 2; ++basis) {
        s.abs_given[basis] = at::cat({abs_given[basis], o.abs_given[basis]});
        s.abs_expected[basis] = at::cat({abs_expected[basis], o.abs_expected[basis]});
        s.square_given[basis] = square_given[basis] + o.square_given[basis];
        s.square_expected[basis] = square_expected[basis] + o.square_expected[basis];
        s.product[basis] = product[basis] + o.product[basis];
    }
    if (!gram.defined()) return s;
    s.gram = gram + o.gram;
    s.cross = cross + o.cross;
    s.predictor_sum = predictor_sum + o.predictor_sum;
    s.increment_sum = increment_sum + o.increment_sum;
    s.weight = weight + o.weight;
    s.increment_square = increment_square + o.increment_square;
    return s;
}

at::Tensor row_weights(const at::Tensor& states, const std::string& massive, double extreme_factor) {
    const auto norms = states.norm(2, {1}).to(at::kDouble);  // [T]
    if (massive == "keep") return at::ones_like(norms);
    const auto median = norms.median();
    if (massive == "mask") return (norms <= median * extreme_factor).to(at::kDouble);
    return (median / norms.clamp_min(1e-30)).square().clamp_max(1);
}

std::array<SeamStatistics, 2> observe_seam(const Decoder& decoder, const Variant& before, Seam seam, const Windows& windows,
                                           const SeamObservation& what, bool split, Progress& progress) {
    const Architecture& a = decoder.architecture();
    const auto given_steps = steps_before(before, a.layers, seam.start);
    const bool same_prefix =
        prefix_digest(given_steps, given_steps.size()) == prefix_digest(dense_steps(0, seam.start), std::size_t(seam.start));
    const std::int64_t passes = seam.end + (same_prefix ? 0 : layer_passes(given_steps));
    TokenProgress tokens(progress, "Fitting at " + seam.words(), windows.tokens(), passes);
    std::array<Sums, 2> sums{Sums(a.hidden, what.predictor, a.norm_eps), Sums(a.hidden, what.predictor, a.norm_eps)};
    for (std::size_t first = 0; first < windows.ids.size(); first += std::size_t(what.group)) {
        std::vector<at::Tensor> expected;  // one [T, C] per window
        for (std::size_t w = first; w < std::min(windows.ids.size(), first + std::size_t(what.group)); ++w)
            expected.push_back(decoder.embed(windows.ids[w]));
        auto given = expected;
        run_steps(decoder, expected, dense_steps(0, seam.start), first, tokens);
        if (same_prefix) given = expected;
        else run_steps(decoder, given, given_steps, first, tokens);
        run_steps(decoder, expected, dense_steps(seam.start, seam.end), first, tokens);
        for (std::size_t i = 0; i < given.size(); ++i) {
            const auto weights = row_weights(given[i], what.massive, what.extreme_factor);
            const auto rows = counted_rows(windows.counted[first + i], what.massive == "mask" ? weights : at::Tensor());
            if (rows.size(0) == 0) continue;
            Sums& part = sums[split && is_held_out(first + i, windows.ids.size()) ? 1 : 0];
            part.add(given[i].index_select(0, rows), expected[i].index_select(0, rows), weights.index_select(0, rows));
        }
    }
    if (sums[0].empty()) throw Error(windows.source + ": no token is left to fit on; take more windows, or leave fewer tokens out");
    return {sums[0].finish(), sums[1].finish()};
}

}  // namespace suture
