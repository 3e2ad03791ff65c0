// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs in kept layers' own tensors: the dense model and the repaired one walk over all windows side by side, and each edited layer
// is solved for what its stream lacks to the dense stream in front of the next kept layer.
#include "core/base/error.h"
#include "core/repair/internal/fit.h"
#include "core/repair/internal/held_out.h"

namespace suture {
namespace {

using States = std::vector<at::Tensor>;  // [T, C] per window

/// ‖·‖ of what is missing behind one layer, per token and in sum.
struct Missing {
    std::vector<at::Tensor> norms;  // [n] per window
    void add(const at::Tensor& missing) { norms.push_back(missing.norm(2, {1})); }
    at::Tensor all() const { return at::cat(norms); }
};

class LayerWalk {
public:
    explicit LayerWalk(const FitJob& job)
        : job_(job), decoder_(job.model, job.compute), layers_(job.model->architecture().layers), variant_(job.removed) {
        check_memory();
        for (const auto& ids : job.windows.ids) dense_.push_back(decoder_.embed(ids));
        student_ = dense_;
        for (const auto& counted : job.windows.counted) rows_.push_back(positions_of(counted));
    }

    Repaired run() {
        Repaired repaired = no_repair(job_.removed);
        const auto edited = job_.kind.edited(job_.removed, layers_, job_.settings);
        const auto kept = job_.removed.complement(layers_).layers();
        for (std::size_t i = 0; i < kept.size() && !edited.empty() && kept[i] <= edited.back(); ++i) {
            const int layer = kept[i], next = i + 1 < kept.size() ? kept[i + 1] : layers_;
            if (!std::binary_search(edited.begin(), edited.end(), layer)) {
                pass(layer);
                continue;
            }
            const Patch patch = solve(layer, next);
            if (next > layer + 1) repaired.patches.push_back(patch);  // others only help the seams before them
            else if (!repaired.patches.empty()) repaired.patches.back().edited.push_back(layer);
        }
        repaired.variant = variant_;
        return repaired;
    }

private:
    void check_memory() const {
        const Architecture& a = job_.model->architecture();
        const double wide = double(job_.kind.from_output ? a.hidden : a.intermediate);
        const double bytes = 2.0 * double(job_.windows.tokens() * a.hidden) * 4 + 4 * wide * wide * 8;
        if (bytes > job_.compute.memory * 1e9) {
            char text[200];
            std::snprintf(text, sizeof text,
                          "the repair %s needs %.1f GB for both streams and its sums, and --memory allows %g; take fewer windows",
                          job_.kind.info.name.c_str(), bytes / 1e9, job_.compute.memory);
            throw Error(text);
        }
    }

    /// Moves the dense stream to the point in front of `point`.
    void dense_to(int point, TokenProgress& tokens) {
        for (; dense_at_ < point; ++dense_at_) advance(decoder_, {.layer = dense_at_}, dense_, 0, tokens);
    }

    /// An unchanged layer. As long as nothing is changed or removed the student is the dense model.
    void pass(int layer) {
        TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(), 1);
        if (variant_.edits().empty() && dense_at_ == layer) {
            dense_to(layer + 1, tokens);
            student_ = dense_;
        } else {
            advance(decoder_, {.layer = layer}, student_, 0, tokens);
        }
    }

    Patch solve(int layer, int next) {
        const bool split = job_.settings.ridge_search;
        std::array<LayerSums, 2> sums;
        Missing before, after;
        {
            TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(),
                                 1 + std::max(0, next - dense_at_));
            dense_to(next, tokens);
            observe(layer, split, sums, before, tokens);
        }
        Patch patch{.seam = {layer + 1, next}, .kind = job_.kind.info.name, .edited = {layer}};
        LayerFitInput input = input_of(layer, sums[0]);
        patch.ridge = split ? searched_ridge(layer, input) : job_.settings.ridge;
        if (split) {
            input.sums.gram += sums[1].gram;
            input.sums.cross += sums[1].cross;
        }
        const std::array ridges{patch.ridge};
        variant_ = with_fit(layer, job_.kind.fit_layer(input, ridges), 0);
        TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(), 1);
        advance(decoder_, {.layer = layer, .edit = variant_.edits().at(layer)}, student_, 0, tokens);
        for (std::size_t w = 0; w < student_.size(); ++w) after.add((dense_[w] - student_[w]).index_select(0, rows_[w]));
        const auto b = before.all(), a = after.all();
        patch.error_median = (a / b.clamp_min(1e-30)).median().item<double>();
        patch.error_frobenius = (a.norm() / b.norm()).item<double>();
        return patch;
    }

    void observe(int layer, bool split, std::array<LayerSums, 2>& sums, Missing& before, TokenProgress& tokens) {
        const LayerWeights weights = decoder_.load({.layer = layer});
        for (std::size_t w = 0; w < student_.size(); ++w) {
            LayerProbe probe;
            const auto out = decoder_.run(weights, student_[w], &probe);                                                 // [T, C]
            const auto missing = (dense_[w] - out).index_select(0, rows_[w]);                                            // [n, C]
            const auto from = (job_.kind.from_output ? out - probe.between : probe.features).index_select(0, rows_[w]);  // [n, I] or [n, C]
            const auto share = row_weights(out, job_.settings.massive, job_.extreme_factor()).index_select(0, rows_[w]).sqrt().unsqueeze(1);
            sums[split && is_held_out(w, student_.size()) ? 1 : 0].add(from.to(at::kDouble) * share, missing.to(at::kDouble) * share);
            before.add(missing);
            tokens.layer_done(out.size(0));
        }
    }

    LayerFitInput input_of(int layer, const LayerSums& sums) const {
        const Architecture& a = job_.model->architecture();
        const Step stored{.layer = layer};
        LayerFitInput input{.sums = sums, .weight = edited_tensor(*job_.model, stored, a.names.down + ".weight").to(at::kDouble)};
        if (job_.model->tensors().contains(a.layer_tensor(layer, a.names.down) + ".bias"))
            input.bias = edited_tensor(*job_.model, stored, a.names.down + ".bias").to(at::kDouble);
        return input;
    }

    Variant with_fit(int layer, const LayerFit& fit, std::size_t i) const {
        const std::string& down = job_.model->architecture().names.down;
        LayerEdit edit;
        edit.tensors[down + ".weight"] = floats_of(fit.weights[i]);
        if (!fit.biases.empty()) edit.tensors[down + ".bias"] = floats_of(fit.biases[i]);
        return variant_.with_edit(layer, std::move(edit));
    }

    double searched_ridge(int layer, const LayerFitInput& input) const {
        const LayerFit fit = job_.kind.fit_layer(input, ridge_grid);
        std::vector<Variant> candidates;
        for (std::size_t i = 0; i < fit.weights.size(); ++i) candidates.push_back(with_fit(layer, fit, i));
        return ridge_grid[best_of(job_.model, candidates, split_windows(job_.windows).held_out, job_.compute, job_.progress)];
    }

    const FitJob& job_;
    Decoder decoder_;
    int layers_;
    Variant variant_;
    States dense_, student_;
    int dense_at_ = 0;
    std::vector<at::Tensor> rows_;  // [n] int64 per window: positions that count
};

}  // namespace

Repaired fit_layers(const FitJob& job) { return LayerWalk(job).run(); }

}  // namespace suture
