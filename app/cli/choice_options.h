// SPDX-License-Identifier: GPL-3.0-or-later
// How layers are chosen: protection and the criteria's settings, as select and prune both take them.
#pragma once

#include "app/cli/common.h"
#include "core/selection/criterion.h"

namespace suture::cli {

struct ChoiceOptions {
    std::string protect;  ///< "3,7-9"
    int keep_ends = 1;
    bool keep_massive = false;
    SelectionSettings settings;

    void add_to(CLI::App& app);
    Protection protection(const Model& model) const;
    /// All that can be known to be wrong with such a choice before the model is run. Throws a usage Error.
    void check(const Study& study, const CalibrationSettings& calibration, const std::string& criterion, int n,
               const std::string& repair) const;
};

/// {layer, words, times_median} of the layer that creates the massive activation; null when no token is extreme.
nlohmann::json massive_json(const Statistics& statistics);
/// The same as a line for people: which layer, and how large beside the median, or that there is none to protect.
std::string massive_words(const Statistics& statistics);

/// How far laco lowered its threshold, as a line for people.
std::string threshold_words(const Ranking& merged);

}  // namespace suture::cli
