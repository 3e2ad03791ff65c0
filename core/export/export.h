// SPDX-License-Identifier: GPL-3.0-or-later
// A variant as a folder that other programs load, and the proof that it does.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint_writer.h"
#include "core/export/config_edit.h"
#include "core/model/compute.h"
#include "core/model/model.h"
#include "core/repair/repair.h"

namespace suture {

struct ExportSettings {
    std::string form = "auto";  ///< of core/repair/forms.h
    double shard_gb = 5;        ///< tensor bytes per safetensors file
    bool overwrite = false;     ///< replace an earlier export

    static const std::vector<Setting<ExportSettings>>& fields();
};

/// What will be written, known before anything is.
struct ExportPlan {
    std::vector<WrittenFile> files;
    std::uint64_t bytes = 0;
    EditedConfig config;
    std::vector<std::string> warnings;  ///< config warnings, missing tokenizer, files newer programs complain about
    std::string problem;                ///< why the folder can't be written now, in one sentence; empty: it can
    bool custom_code = false;           ///< loading needs trust_remote_code=True
    std::string form;                   ///< patched, stock or rotated
    std::string load_snippet;           ///< Python lines that load the folder
};

/// Why nothing can be exported from `model` to `target`, known without a cut or a repair; empty: nothing speaks against it.
std::string export_problem(const Model& model, const std::filesystem::path& target, const ExportSettings& settings);

ExportPlan plan_export(const Model& model, const Repaired& repaired, const std::filesystem::path& target, const ExportSettings& settings);

struct ExportResult {
    std::filesystem::path folder;
    std::vector<WrittenFile> files;
    /// Largest absolute difference between the logits of the folder read back and of the model in memory.
    double largest_logit_difference = 0;
    double tolerance = 0;
    bool equal() const { return largest_logit_difference <= tolerance; }
    nlohmann::json to_json() const;
};

/// Writes the folder atomically, opens it again and compares logits on `check_ids`. `report` goes to suture.json and, as words, to
/// README.md: {chosen: how the layers were chosen, conditions, results: [{name, perplexity, …}]}. The source is never touched.
/// Throws Error (target refused, no space, per-layer field unknown) or Cancelled; then nothing is left behind.
ExportResult export_variant(std::shared_ptr<const Model> model, const Repaired& repaired, const nlohmann::json& report,
                            const std::filesystem::path& target, const ExportSettings& settings, const ComputeSettings& compute,
                            const std::vector<std::int64_t>& check_ids, Progress& progress);

/// README.md of an exported folder.
std::string model_card(const Model& model, const Repaired& repaired, const nlohmann::json& report, const ExportPlan& plan);

}  // namespace suture
