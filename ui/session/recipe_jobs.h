// SPDX-License-Identifier: GPL-3.0-or-later
// What the jobs behind the shared results do, on a lane's thread: functions of a document, without widgets.
#pragma once

#include "core/figures/variant_label.h"
#include "core/study/cost.h"
#include "ui/session/repaired_cache.h"
#include "ui/session/results.h"

namespace suture {

/// Everything a job may use; made on the window's thread and copied into the job.
struct JobInputs {
    std::shared_ptr<const Study> study;
    Document document;
    std::shared_ptr<WindowsCache> windows;
    std::shared_ptr<const Statistics> statistics;  ///< those of the document; null: calibrate() finds or makes them
    std::shared_ptr<const Repaired> repaired;      ///< the document's repair where it is fitted already; null: make_repaired() fits it
    std::string chosen;                            ///< how the layers were chosen, in words
    std::shared_ptr<RepairedCache> fitted;         ///< repairs that other jobs have fitted
    Key statistics_key;                            ///< of the document's statistics
    std::shared_ptr<const Repaired> imported;      ///< takes the place of the document's repair; null: none does
    std::shared_ptr<const Repaired> finetuned;     ///< that repair trained on; null: not trained, or not to be used
};

/// The dense model and every kind of the document's repairs at its removed layers, in that order; then what was imported and what was
/// fine-tuned. Kinds that this model refuses are left out.
struct MadeVariants {
    std::vector<VariantLabel> labels;
    std::vector<Variant> variants;
    std::vector<std::shared_ptr<const Repaired>> repaired;  ///< null for the dense model
    std::shared_ptr<const Statistics> statistics;           ///< null where no repair needed them and there were none
};

/// `speed`: floating-point operations per second that this machine is expected to do.
std::shared_ptr<const Forecast> make_forecast(const JobInputs& inputs, double speed);
std::shared_ptr<const Statistics> make_statistics(const JobInputs& inputs, Progress& progress);
/// Of a kind among JobInputs::fitted.
Key fitted_repair_key(const JobInputs& inputs, const std::string& kind);
std::shared_ptr<const Repaired> make_repaired(const JobInputs& inputs, const std::string& kind, Progress& progress);
/// What is shown and exported: what was fine-tuned, else what was imported, else the document's kind fitted.
std::shared_ptr<const Repaired> repair_in_force(const JobInputs& inputs, Progress& progress);
/// Calibrates first where a repair needs it.
MadeVariants make_variants(const JobInputs& inputs, Progress& progress);
std::shared_ptr<const EvaluationSet> make_evaluation(const JobInputs& inputs, const Key& text_key, Progress& progress);
/// `report` of an evaluation of the same cut, or null.
std::shared_ptr<const ExportResult> make_export(const JobInputs& inputs, const nlohmann::json& report, Progress& progress);

/// Kinds of repair on held-out calibration windows.
std::shared_ptr<const Recommendation> make_recommendation(const JobInputs& inputs, const TrialSettings& trials, Progress& progress);

/// What training `start` on the calibration text takes, and why it can't be done: a sentence, or empty.
struct FineTuningCost {
    DistilCost cost;
    std::string problem;
};
std::shared_ptr<const FineTuningCost> make_finetuning_cost(const JobInputs& inputs, const Repaired& start);

/// "Dense", "No repair", or the kind's label with its definition where that is not the paper's.
std::string row_label(const std::string& kind, const RepairSettings& settings);

/// The terminal name of what is in force in place of a fitted repair.
inline std::string extra_kind(const Repaired& made) { return made.settings.contains("merged") ? "merged" : "imported"; }

}  // namespace suture
