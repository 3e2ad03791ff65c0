// SPDX-License-Identifier: GPL-3.0-or-later
// The job on one open model, stage by stage: what the window, the terminal and the headless report all run.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/calibration/calibrate.h"
#include "core/distillation/distil.h"
#include "core/evaluation/evaluation.h"
#include "core/export/export.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/repair/forms.h"
#include "core/repair/recommend.h"
#include "core/repair/repair.h"
#include "core/selection/criterion.h"
#include "core/selection/search.h"
#include "core/store/store.h"
#include "core/text/tokenizer.h"
#include "core/text/windows.h"

namespace suture {

/// Text to read windows from: a text file, or a JSON array of arrays of token ids, one window each.
struct TextSource {
    std::filesystem::path text;
    std::filesystem::path ids;  ///< used when not empty; needs no tokenizer
    bool empty() const { return text.empty() && ids.empty(); }
    bool operator==(const TextSource&) const = default;
};

/// Every setting of the job.
struct JobSettings {
    WindowSettings windows;               ///< of the calibration text; seqlen, stride, bos … hold for the evaluation too
    std::int64_t evaluation_windows = 0;  ///< at most so many windows of the evaluation text; 0: all
    CalibrationSettings calibration;
    RepairSettings repair;
    DistilSettings distillation;
    ComputeSettings compute;
    ExportSettings export_;
    nlohmann::json to_json() const;
    static JobSettings from_json(const nlohmann::json& json);
};

class Study {
public:
    /// Opens the model in `folder`; results are looked for in, and kept in, `store`.
    Study(const std::filesystem::path& folder, std::shared_ptr<Store> store);

    const std::shared_ptr<const Model>& model() const { return model_; }
    const Model& operator*() const { return *model_; }
    /// Null when the folder has no tokenizer; tokenizer_problem() tells why one can't be used.
    const std::shared_ptr<const Tokenizer>& tokenizer() const { return tokenizer_; }
    const std::string& tokenizer_problem() const { return tokenizer_problem_; }
    Store& store() const { return *store_; }

    /// Throws Error when the text can't be read or there is no tokenizer for it.
    Windows calibration_windows(const TextSource& source, const JobSettings& settings) const;
    Windows evaluation_windows(const TextSource& source, const JobSettings& settings) const;

    /// From the store, or by running the model. Throws Cancelled.
    std::shared_ptr<const Statistics> calibrate(const Windows& windows, const JobSettings& settings, Progress& progress) const;
    /// From the store only; null when the model has to be run.
    std::shared_ptr<const Statistics> stored_statistics(const Windows& windows, const JobSettings& settings) const;

    /// A criterion's choice of n layers; what takes more than the statistics is kept in the store. As rank_layers() throws.
    Ranking rank(const SelectionInput& input, const std::string& criterion, int n) const;
    /// As suture::search(); one that ran to its end is kept in the store. Out of it, `found` hears of the whole result once.
    SearchResult search(const SelectionInput& input, const Budget& budget, const SearchSettings& settings,
                        const FoundListener& found = {}) const;

    Repaired repair(const Statistics& statistics, const Windows& windows, const LayerSet& removed, const std::string& kind,
                    const JobSettings& settings, Progress& progress) const;

    /// Kinds of repair judged on held-out calibration windows.
    Recommendation recommend(const Windows& windows, const LayerSet& removed, const TrialSettings& trials, const JobSettings& settings,
                             Progress& progress) const;
    using TrainingListener = std::function<void(const DistilPoint&)>;
    /// A kind of repair fitted on the windows that training steps see, so that it has seen none that it is validated on, and trained on.
    /// The best weights are kept when it is stopped.
    Distilled finetune(const LayerSet& removed, const std::string& kind, const Windows& windows, const JobSettings& settings,
                       Progress& progress, const TrainingListener& watch = nullptr) const;
    /// The same from a start that was not fitted here.
    Distilled finetune(const Repaired& start, const Windows& windows, const JobSettings& settings, Progress& progress,
                       const TrainingListener& watch = nullptr) const;

    /// In the order of `variants`; those in the store are not run again.
    std::vector<std::shared_ptr<const Evaluation>> evaluate(std::span<const Variant> variants, const Windows& windows,
                                                            const JobSettings& settings, std::int64_t logits, Progress& progress) const;

    /// `report` as export_variant() takes it. The check runs on the first window given, or on token 0 … when there is none.
    ExportResult export_to(const std::filesystem::path& folder, const Repaired& repaired, const nlohmann::json& report,
                           const Windows* check, const JobSettings& settings, Progress& progress) const;

private:
    std::shared_ptr<const Model> model_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::string tokenizer_problem_;
    std::shared_ptr<Store> store_;
};

/// One line: "layers 7–10 (4 of 16), best block by Cosine block".
std::string words_of_choice(const LayerSet& removed, int layers, const std::string& criterion_label);

/// How many layers the headless job and a new session propose to remove: a quarter, at least 1, leaving the ends.
int proposed_count(int layers);

/// Layers, parameters and KV cache of a model and what is left of them; the speed-up is layers over kept layers.
struct SizeSummary {
    int layers = 0, kept = 0;
    std::int64_t parameters = 0, kept_parameters = 0;
    std::int64_t kv_bytes_per_token = 0, kept_kv_bytes_per_token = 0;
    double estimated_speedup = 1;  ///< parameters that a token meets (layers and head), dense over pruned
};
SizeSummary summarise_size(const Model& model, const LayerSet& removed);

}  // namespace suture
