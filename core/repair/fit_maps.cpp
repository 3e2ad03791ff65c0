// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs of the stream: one map per seam.
#include <limits>

#include "core/repair/internal/fit.h"
#include "core/repair/internal/held_out.h"
#include "core/repair/internal/patch_error.h"
#include "core/tensor/internal/hadamard.h"

namespace suture {
namespace {

class SeamFit {
public:
    SeamFit(const FitJob& job, Seam seam, const Variant& before, bool already_patched)
        : job_(job), seam_(seam), before_(before), already_patched_(already_patched) {}

    Patch fit() {
        const bool search = job_.kind.info.ridge && job_.settings.ridge_search;
        auto sums = observed(search);
        double ridge = job_.settings.ridge;
        if (search) {
            ridge = searched_ridge(sums[0]);
            sums[0] = sums[0] + sums[1];
        }
        const std::array ridges{ridge};
        Patch patch{.seam = seam_, .kind = job_.kind.info.name, .ridge = job_.kind.info.ridge ? ridge : 0};
        StreamMap map = std::move(job_.kind.fit(sums[0], job_.settings, ridges)[0]);
        if (map.hadamard) patch.hadamard = Hadamard::of_size(sums[0].hidden()).description();
        patch.map = std::make_shared<const StreamMap>(std::move(map));
        describe_matrix(patch, sums[0].hidden());
        patch.error_frobenius = frobenius_error(*patch.map, sums[0]);
        // The sampled states are the dense model's: they say nothing of a stream that is already patched.
        patch.error_median = already_patched_ || !job_.statistics ? std::numeric_limits<double>::quiet_NaN()
                                                                  : median_error(*patch.map, *job_.statistics, seam_);
        return patch;
    }

private:
    /// [fit, held out]; the second only when `split`.
    std::array<SeamStatistics, 2> observed(bool split) const {
        const bool run = job_.kind.predictor != Predictor::None || already_patched_ || job_.settings.massive != "keep" || !job_.statistics;
        if (!run) return {dense_seam(*job_.statistics, seam_), {}};
        const Decoder decoder(job_.model, job_.compute);
        const auto windows = std::int64_t(job_.windows.ids.size());
        const SeamObservation what{
            .predictor = job_.kind.predictor,
            .massive = job_.settings.massive,
            .extreme_factor = job_.extreme_factor(),
            .group = estimate_memory(*job_.model, job_.compute, job_.windows.tokens() / windows + 1, windows, 6).windows_per_group};
        return observe_seam(decoder, already_patched_ ? before_ : Variant(), seam_, job_.windows, what, split, job_.progress);
    }

    double searched_ridge(const SeamStatistics& sums) const {
        std::vector<Variant> candidates;
        for (StreamMap& map : job_.kind.fit(sums, job_.settings, ridge_grid))
            candidates.push_back(before_.with_map(seam_.end, std::make_shared<const StreamMap>(std::move(map))));
        return ridge_grid[best_of(job_.model, candidates, split_windows(job_.windows).held_out, job_.compute, job_.progress)];
    }

    const FitJob& job_;
    Seam seam_;
    const Variant& before_;
    bool already_patched_;
};

}  // namespace

Repaired fit_maps(const FitJob& job) {
    Repaired repaired = no_repair(job.removed);
    for (const Seam seam : seams_of(job.removed)) {
        job.progress.check();
        // In front of the first seam the stream is the dense one either way.
        Patch patch = SeamFit(job, seam, repaired.variant, job.sequential() && !repaired.patches.empty()).fit();
        repaired.variant = repaired.variant.with_map(seam.end, patch.map);
        repaired.patches.push_back(std::move(patch));
    }
    return repaired;
}

}  // namespace suture
