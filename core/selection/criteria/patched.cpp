// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/selection/internal/ranks.h"
#include "core/tensor/internal/torch.h"

namespace suture {
namespace {

/// States of the sampled tokens that count, [S, C] float64.
at::Tensor sample_at(const Statistics& s, int point) {
    std::vector<std::int64_t> rows;
    for (std::size_t t = 0; t < s.sample_tokens.size(); ++t)
        if (s.counted[std::size_t(s.sample_tokens[t])]) rows.push_back(std::int64_t(t));
    const auto all = at::from_blob(const_cast<float*>(s.sample.row(point).data()), {s.sample.size(1), s.sample.size(2)}, at::kFloat);
    return all.index_select(0, at::tensor(rows, at::kLong)).to(at::kDouble);
}

/// Whether the layers of the seam do nothing to the stream, to the precision in which it is computed.
bool without_gap(const Statistics& statistics, Seam seam) {
    const auto given = sample_at(statistics, seam.start), expected = sample_at(statistics, seam.end);
    return ((given - expected).norm(2, {1}) / expected.norm(2, {1}).clamp_min(1e-30)).median().item<double>() < 1e-6;
}

/// x·M for M = (XᵀX + λ·mean(diag XᵀX)·I)⁻¹ Xᵀ(Y − X), in the dual form that needs only an n × n system for n fitted tokens.
at::Tensor least_squares_increment(const at::Tensor& x, const at::Tensor& given, const at::Tensor& expected, double ridge) {
    const auto gram = at::matmul(given, given.t());                                     // [n, n]
    const double lambda = ridge * gram.trace().item<double>() / double(given.size(1));  // mean(diag XᵀX) = tr(XXᵀ) / C
    const auto system = gram + std::max(lambda, 1e-12) * at::eye(gram.size(0), at::kDouble);
    return at::matmul(at::matmul(x, given.t()), at::linalg_solve(system, expected - given));
}

/// Least squares fitted on one half of the sampled tokens and judged on the other, both ways: the median over all tokens of
/// ‖x_s·P − x_e‖ / ‖x_s − x_e‖. A fit judged on its own tokens would look perfect wherever the sample is smaller than the stream.
double held_out_error(const Statistics& statistics, Seam seam, double ridge) {
    const auto given = sample_at(statistics, seam.start), expected = sample_at(statistics, seam.end);  // [S, C]
    const auto order = at::arange(given.size(0), at::kLong);
    const auto even = order.masked_select(order.remainder(2).eq(0)), odd = order.masked_select(order.remainder(2).eq(1));
    std::vector<at::Tensor> errors;
    for (const auto& [fit, judge] : {std::pair(even, odd), std::pair(odd, even)}) {
        const auto x = given.index_select(0, judge), gap = expected.index_select(0, judge) - x;  // [n, C]
        const auto increment = least_squares_increment(x, given.index_select(0, fit), expected.index_select(0, fit), ridge);
        errors.push_back((increment - gap).norm(2, {1}) / gap.norm(2, {1}).clamp_min(1e-30));
    }
    return at::cat(errors).median().item<double>();
}

double error_of(const SelectionInput& input, Seam seam) {
    if (without_gap(*input.statistics, seam)) return 0;  // nothing to repair: a relative error would be noise over noise
    const LayerSet block = LayerSet::range(seam.start, seam.removed());
    if (repair_runs_model(input.repair, input.repair_settings, block))
        return held_out_error(*input.statistics, seam, input.repair_settings.ridge);
    return fit_repair(input.model, *input.statistics, Windows(), block, input.repair, input.repair_settings, input.compute, input.tell())
        .worst_error();
}

/// CONTRACT "relative error of a repair": the median over tokens ranks. Kinds that statistics alone can fit are fitted; least squares
/// stands in for all that would run the model for every block.
Ranking rank_by_patch(const SelectionInput& input, int n) {
    const c10::InferenceMode no_gradients;
    if (input.statistics->sample.empty()) throw usage_error("criterion patched needs sampled states; calibrate with --sample above 0");
    std::map<int, double> scores;
    const auto starts = block_starts(input, n);
    input.tell().begin("Ranking by patched", std::int64_t(starts.size()), "blocks");
    for (const int start : starts) {
        scores[start] = error_of(input, {start, start + n});
        input.tell().step();
    }
    Ranking ranking = best_block("patched", input, std::move(scores), n, false);
    ranking.parameters = {{"repair", input.repair}, {"repair_settings", settings_to_json(input.repair_settings)}};
    return ranking;
}

}  // namespace

extern const Criterion criterion_patched;
const Criterion criterion_patched{
    .order = 15,
    .name = "patched",
    .label = "Error of the repair",
    .help = "The block whose gap the chosen repair closes best: median over sampled tokens of the error left, relative to no repair.",
    .needs = {.statistics = true, .repair = true},
    .rank = rank_by_patch,
    .check = check_block,
};

}  // namespace suture
