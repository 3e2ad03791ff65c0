// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has decided so far, as one small value: it can be compared, undone and kept.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/layers.h"
#include "core/study/study.h"
#include "ui/session/measures.h"
#include "ui/session/selection_choice.h"

namespace suture {

struct Document {
    std::filesystem::path model;  ///< folder; empty: no model
    TextSource calibration, evaluation;
    JobSettings settings;
    LayerSet removed;
    std::string criterion = "cosine";                                       ///< terminal name
    int block_length = 1;                                                   ///< n of "Best block of n"
    std::vector<std::string> repairs = {"none", "channel", "linearpatch"};  ///< kinds to evaluate side by side
    std::string repair = "linearpatch";                                     ///< the kind shown and exported
    /// Makes `kind` the repair in force, and one of those that are evaluated: what is exported should have been measured.
    void choose_repair(const std::string& kind) {
        repair = kind;
        scales.clear();
        merge.clear();
        if (std::find(repairs.begin(), repairs.end(), kind) == repairs.end()) repairs.push_back(kind);
    }
    std::filesystem::path scales;  ///< imported patch that takes the place of `repair` at the layers it is for; empty: none
    std::string merge;             ///< names a merge that takes the place of `repair` at the layers it is for; empty: none
    bool finetuned = true;         ///< the repair's fine-tuned weights are taken where there are some
    SelectionChoice selection;
    Measures measures;
    std::filesystem::path export_folder;  ///< empty: not chosen yet
    int seam = 0;                         ///< which seam the pages show, from the input of the model on

    /// Something else than `repair` was put in its place, here or at other layers.
    bool replaced() const { return !scales.empty() || !merge.empty(); }
    /// The seam the pages show; nothing when no layers are removed.
    std::optional<Seam> shown_seam() const;

    nlohmann::json to_json() const;
    static Document from_json(const nlohmann::json& json);
    /// Whether to_json() is equal.
    bool operator==(const Document& other) const;
};

}  // namespace suture
