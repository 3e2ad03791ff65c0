// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's ablation as one run: models × calibration texts × numbers of windows × criteria × layers removed × repairs, each
// measured on every evaluation text.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/table.h"
#include "core/study/study.h"

namespace suture {

struct NamedText {
    std::string name;  ///< in the tables
    TextSource source;
    std::int64_t windows = 0;  ///< at most; 0: what the settings say
};

/// The file, JSON (paths are relative to it):
///   {"models": ["FOLDER", …],
///    "calibration": [{"name": "c4", "text": "FILE"[, "windows": 64]}, …],       "ids": "FILE" in place of "text"
///    "evaluation":  [{"name": "wiki", "text": "FILE"[, "windows": 12]}, …],
///    "remove": [3, 6, 9],            numbers of layers, chosen by every criterion; and, or
///    "layers": ["13-18", …],         sets chosen by hand
///    "criteria": ["cosine", …],
///    "repairs": ["none", "linearpatch", "ridge", "ridge+ft", …],                 "+ft" fine-tunes it
///    "calibration_windows": [1, 8, 32, 128],                                     optional: each of them in turn
///    "settings": {"windows": {"seqlen": 512}, "repair": {"ridge": 0.01}, …}}     as `prune --json` writes them
struct AblationSpec {
    std::vector<std::filesystem::path> models;
    std::vector<NamedText> calibration, evaluation;
    std::vector<int> remove;
    std::vector<std::string> layers, criteria, repairs;
    std::vector<std::int64_t> calibration_windows;  ///< empty: what the texts say
    JobSettings settings;

    /// Throws Error naming the file and the member that is absent, unknown or of another type; names are checked too.
    static AblationSpec read(const std::filesystem::path& file);
    /// The same of what such a file holds. `name` begins every refusal, and paths are relative to its folder.
    static AblationSpec from_json(const nlohmann::json& json, const std::filesystem::path& name);
    /// What from_json() reads.
    nlohmann::ordered_json to_json() const;

    /// How many windows of a text are calibrated on, in turn.
    std::vector<std::int64_t> windows_of(const NamedText& text) const;
    /// The repair by which the criterion patched ranks: the first that is fitted; "none" when there is none.
    std::string ranked_by() const;
    /// Rows of the table: a dense one per model, and every calibration × choice of layers × repair.
    std::int64_t rows() const;
};

/// "ridge+ft" → "ridge".
std::string kind_of_repair(const std::string& repair);
inline bool fine_tunes(const std::string& repair) { return repair.ends_with("+ft"); }

struct AblationRow {
    std::string model, calibration, criterion, repair;
    std::int64_t windows = 0;  ///< of the calibration text
    LayerSet removed;
    std::string refusal;                       ///< why this repair is not possible here; empty: it was measured
    std::map<std::string, double> perplexity;  ///< by evaluation text
    std::map<std::string, Interval> interval;  ///< 95 %, none below 8 windows
    bool in_domain(const std::string& evaluation) const { return calibration == evaluation; }
    nlohmann::json to_json() const;
};

struct Ablation {
    std::vector<std::string> evaluation;  ///< names of the texts, in order
    std::vector<AblationRow> rows;        ///< the dense models (no repair, nothing removed) among them
    nlohmann::json settings;

    /// One row per variant and a column per evaluation text.
    Table table() const;
    /// How often each repair had the lowest perplexity among those with the same model, text, windows and layers.
    Table wins() const;
    /// What each repair costs on texts it was calibrated on and on others: times dense, geometric means. No rows unless there are both.
    Table domains() const;
    nlohmann::json to_json() const;
};

/// What an ablation will run over, known before anything is run.
struct AblationPlan {
    struct OfModel {
        std::shared_ptr<const Model> model;
        std::vector<std::int64_t> calibrations;  ///< tokens of each calibration, in turn
        std::int64_t evaluation = 0;             ///< tokens of all evaluation texts together
    };
    std::vector<OfModel> models;
};
/// Opens every model and reads every text. Throws Error for a model that can't be opened, a text that can't be read by it, and layers
/// that it does not have.
AblationPlan plan_ablation(const AblationSpec& spec, std::shared_ptr<Store> store);

/// Rows are handed to `watch` as they are done. Evaluations are looked for and kept in `store`, so that a run that was stopped goes
/// on where it ended. Throws Cancelled.
Ablation run_ablation(const AblationSpec& spec, std::shared_ptr<Store> store, Progress& progress,
                      const std::function<void(const AblationRow&)>& watch = nullptr);

}  // namespace suture
