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
};

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
    nlohmann::json to_json() const;
};

/// Rows are handed to `watch` as they are done. Evaluations are looked for and kept in `store`, so that a run that was stopped goes
/// on where it ended. Throws Cancelled.
Ablation run_ablation(const AblationSpec& spec, std::shared_ptr<Store> store, Progress& progress,
                      const std::function<void(const AblationRow&)>& watch = nullptr);

}  // namespace suture
