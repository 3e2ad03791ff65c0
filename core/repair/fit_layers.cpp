// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs in kept layers' own tensors: the dense model and the repaired one walk over all windows side by side, and each edited layer
// is solved for what its stream lacks to the dense stream in front of the next kept layer.
#include "core/base/error.h"
#include "core/repair/internal/fit.h"
#include "core/repair/internal/held_out.h"

namespace suture {
namespace {

using States = std::vector<at::Tensor>;  // [T, C] per window

/// The two projections of a layer that write to the stream.
enum class Writer { Attention, Mlp };

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
        const double streams = job_.kind.attention ? 4 : 3;  // dense, repaired, repaired behind the layer, dense behind attention
        const double bytes = streams * double(job_.windows.tokens() * a.hidden) * 4 + 4 * wide * wide * 8;
        if (bytes > job_.compute.memory * 1e9) {
            char text[200];
            std::snprintf(text, sizeof text,
                          "the repair %s needs %.1f GB for the streams and its sums, and --memory allows %g; take fewer windows",
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

    /// Takes the dense stream to the point in front of `next`. Returns it as it stood behind the attention of `layer` when asked for.
    States dense_through(int layer, int next, bool between) {
        TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(),
                             std::max(0, next - dense_at_));
        States behind_attention;  // [T, C] per window
        dense_to(layer, tokens);
        if (between) {
            const LayerWeights weights = decoder_.load(layer);
            for (at::Tensor& x : dense_) {
                LayerProbe probe;
                x = decoder_.run(weights, x, &probe);
                behind_attention.push_back(probe.between);
                tokens.layer_done(x.size(0));
            }
            ++dense_at_;
        }
        dense_to(next, tokens);
        return behind_attention;
    }

    Patch solve(int layer, int next) {
        Patch patch{.seam = {layer + 1, next}, .kind = job_.kind.info.name, .edited = {layer}};
        const bool attention = job_.kind.attention && layer > job_.removed.layers().front();
        const States between = dense_through(layer, next, attention);
        const bool reported = next > layer + 1;
        const at::Tensor before = reported ? missing(layer) : at::Tensor();
        if (attention) refit(layer, Writer::Attention, between);
        patch.ridge = refit(layer, Writer::Mlp, dense_);
        const at::Tensor after = missing(layer, &student_);
        if (!reported) return patch;
        patch.error_median = (after / before.clamp_min(1e-30)).median().item<double>();
        patch.error_frobenius = (after.norm() / before.norm()).item<double>();
        return patch;
    }

    /// Solves for one projection of the layer; returns λ.
    double refit(int layer, Writer writer, const States& expected) {
        const bool split = job_.settings.ridge_search;
        const auto sums = observe(layer, writer, expected, split);
        LayerFitInput input = input_of(layer, writer, sums[0]);
        const double ridge = split ? searched_ridge(layer, writer, input) : job_.settings.ridge;
        if (split) {
            input.sums.gram += sums[1].gram;
            input.sums.cross += sums[1].cross;
        }
        variant_ = with_fit(layer, writer, job_.kind.fit_layer(input, std::array{ridge}), 0);
        return ridge;
    }

    /// [fit, held out]: the latter only when `split`.
    std::array<LayerSums, 2> observe(int layer, Writer writer, const States& expected, bool split) {
        TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(), 1);
        const LayerWeights weights = decoder_.load(step(layer));
        std::array<LayerSums, 2> sums;
        for (std::size_t w = 0; w < student_.size(); ++w) {
            LayerProbe probe;
            const auto out = decoder_.run(weights, student_[w], &probe);  // [T, C]
            const bool heads = writer == Writer::Attention;
            const auto from = heads ? probe.heads : job_.kind.from_output ? out - probe.between : probe.features;  // [T, ·]
            const auto missing = expected[w] - (heads ? probe.between : out);                                      // [T, C]
            const auto share = row_weights(out, job_.settings.massive, job_.extreme_factor()).index_select(0, rows_[w]).sqrt().unsqueeze(1);
            sums[split && is_held_out(w, student_.size()) ? 1 : 0].add(from.index_select(0, rows_[w]).to(at::kDouble) * share,
                                                                       missing.index_select(0, rows_[w]).to(at::kDouble) * share);
            tokens.layer_done(out.size(0));
        }
        return sums;
    }

    /// ‖dense stream − the student's‖ behind `layer` as it is now, per counted token of all windows, [n].
    at::Tensor missing(int layer, States* moved = nullptr) {
        TokenProgress tokens(job_.progress, "Fitting: layer " + std::to_string(layer), job_.windows.tokens(), 1);
        States behind = student_;
        advance(decoder_, step(layer), behind, 0, tokens);
        std::vector<at::Tensor> norms;
        for (std::size_t w = 0; w < behind.size(); ++w) norms.push_back((dense_[w] - behind[w]).index_select(0, rows_[w]).norm(2, {1}));
        if (moved) *moved = std::move(behind);
        return at::cat(norms);
    }

    Step step(int layer) const {
        const auto edit = variant_.edits().find(layer);
        return {.layer = layer, .edit = edit == variant_.edits().end() ? nullptr : edit->second};
    }

    const std::string& name_of(Writer writer) const {
        const LayerNames& names = job_.model->architecture().names;
        return writer == Writer::Attention ? names.o : names.down;
    }

    LayerFitInput input_of(int layer, Writer writer, const LayerSums& sums) const {
        const Step stored{.layer = layer};
        const std::string& name = name_of(writer);
        LayerFitInput input{.sums = sums, .weight = edited_tensor(*job_.model, stored, name + ".weight").to(at::kDouble)};
        if (job_.model->tensors().contains(job_.model->architecture().layer_tensor(layer, name) + ".bias"))
            input.bias = edited_tensor(*job_.model, stored, name + ".bias").to(at::kDouble);
        return input;
    }

    Variant with_fit(int layer, Writer writer, const LayerFit& fit, std::size_t i) const {
        LayerEdit edit;
        if (const Step now = step(layer); now.edit) edit = *now.edit;
        edit.tensors[name_of(writer) + ".weight"] = floats_of(fit.weights[i]);
        if (!fit.biases.empty()) edit.tensors[name_of(writer) + ".bias"] = floats_of(fit.biases[i]);
        return variant_.with_edit(layer, std::move(edit));
    }

    double searched_ridge(int layer, Writer writer, const LayerFitInput& input) const {
        const LayerFit fit = job_.kind.fit_layer(input, ridge_grid);
        std::vector<Variant> candidates;
        for (std::size_t i = 0; i < fit.weights.size(); ++i) candidates.push_back(with_fit(layer, writer, fit, i));
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
