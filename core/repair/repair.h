// SPDX-License-Identifier: GPL-3.0-or-later
// Repairs at a seam: fitted from calibration, applied to the residual stream in front of the next kept layer.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/calibration/statistics.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/model/variant.h"
#include "core/text/windows.h"

namespace suture {

struct RepairSettings {
    std::string definition = "paper";  ///< of d: "paper" ratio of sums over all tokens; "script" mean of the windows' ratios
    double ridge = 0.01;               ///< λ of least squares, relative to the Gram matrix's mean diagonal
    bool ridge_search = false;         ///< λ is chosen by perplexity on calibration windows held out from the fit
    bool bias = false;                 ///< least squares of a map: also an additive term
    std::int64_t rank = 64;            ///< of the low-rank repair
    std::int64_t cascade = 3;          ///< kept layers behind a seam that are refitted too; 0: all
    std::string massive =
        "keep";                ///< tokens of massive activations in a fit: "keep", "mask" (left out) or "weight" (down to the median norm)
    std::string fit = "auto";  ///< several seams: "dense" both sides from the dense model; "sequential" the stream as already patched;
                               ///< "auto" what suits the kind

    double extreme_token = 20;  ///< CalibrationSettings::extreme_token, where the fit gets no statistics that tell it

    static const std::vector<Setting<RepairSettings>>& fields();
};

/// What menus and --help say of a kind of repair.
struct RepairInfo {
    std::string name;         ///< in the terminal, e.g. "linearpatch"
    std::string label;        ///< in the window, e.g. "LinearPatch"
    std::string help;         ///< one sentence
    bool fitted = true;       ///< needs calibration statistics
    bool definition = false;  ///< d has two definitions
    bool ridge = false;       ///< has a λ
    bool edits = false;       ///< changes kept layers' own tensors; there is no map
    bool behind = false;      ///< changes --cascade kept layers behind a seam too
    bool stock = false;       ///< can be exported as a checkpoint that needs no code of ours
};
/// All kinds, in the order in which they are offered.
std::vector<RepairInfo> repair_kinds();
/// Throws a usage Error naming the known kinds.
RepairInfo repair_kind(const std::string& name);
/// Why `kind` can't repair `removed` in this model, in one sentence that names the family; empty: it can.
std::string repair_refusal(const std::string& kind, const Model& model, const LayerSet& removed);
/// Whether fitting `kind` at the seams of `removed` runs the calibration windows through the model again.
bool repair_runs_model(const std::string& kind, const RepairSettings& settings, const LayerSet& removed);
/// Where `prune --json` puts this variant: none, scalar, d_ratio_of_sums, linearpatch_mean_of_ratios, ridge_0.01, …
std::string repair_json_key(const std::string& kind, const RepairSettings& settings);

/// A fitted repair of one seam.
struct Patch {
    Seam seam;
    std::string kind;
    std::string hadamard;                  ///< description of H when the map uses it
    std::shared_ptr<const StreamMap> map;  ///< x_s → what the next kept layer gets; null where kept layers' tensors are changed instead
    std::vector<int> edited;               ///< those layers
    double ridge = 0;                      ///< λ as used; 0: none
    /// ‖x_s·P − x_e‖ / ‖x_s − x_e‖ per sampled token, median: 1 is no better than no patch. NaN when there is no sample.
    double error_median = 0;
    double error_frobenius = 0;       ///< the same over all calibration tokens; massive tokens dominate it
    double trace = 0, frobenius = 0;  ///< of P
    std::vector<double> row0;         ///< the first eight entries of P's first row
    nlohmann::json to_json() const;
};

/// Whether Repaired::settings say that training has changed the weights: a run that found nothing better than its start has not, and
/// what is known of the fit, like its error, still holds.
bool fine_tuned(const nlohmann::json& settings);

/// One kind fitted at every seam of a set of removed layers.
struct Repaired {
    std::string kind;
    Variant variant;
    std::vector<Patch> patches;                          ///< one per seam; empty for "none"
    nlohmann::json settings = nlohmann::json::object();  ///< {fit[, definition][, ridge]} as used
    /// Largest median relative error of its seams; NaN when none is known.
    double worst_error() const;
    nlohmann::json to_json() const;  ///< "patches"; with a single seam its fields stand at the top too, as in the reference
};

/// Fits `kind` at every seam. `windows` are the calibration windows; they are run again only where the statistics don't hold what
/// the kind needs (Gram matrices, a stream that is already patched). Throws Cancelled.
/// `statistics` null: both sides of every seam are run for, and no median error is known of maps.
Repaired fit_repair(std::shared_ptr<const Model> model, const Statistics* statistics, const Windows& windows, const LayerSet& removed,
                    const std::string& kind, const RepairSettings& settings, const ComputeSettings& compute, Progress& progress);
inline Repaired fit_repair(std::shared_ptr<const Model> model, const Statistics& statistics, const Windows& windows,
                           const LayerSet& removed, const std::string& kind, const RepairSettings& settings, const ComputeSettings& compute,
                           Progress& progress) {
    return fit_repair(std::move(model), &statistics, windows, removed, kind, settings, compute, progress);
}

/// Removal without repair; needs no calibration.
Repaired no_repair(const LayerSet& removed);

/// P of a map as a dense matrix [C, C].
Array<float> dense_matrix(const StreamMap& map, std::int64_t hidden);

/// Applies a map to rows [n, C] (row-major), e.g. sampled states.
Array<float> apply_to_rows(const StreamMap& map, const Array<float>& rows);

/// Reads the scales.pt of the published LinearPatch scripts: layers start_l … end_l-1 removed, their symmetric matrix as P (or d
/// where they did not rotate). Nothing in the file is executed. Throws Error naming the file and the entry.
Repaired import_scales(const std::filesystem::path& file, const Model& model);

}  // namespace suture
