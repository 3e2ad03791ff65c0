// SPDX-License-Identifier: GPL-3.0-or-later
// Does a patch fitted on one text help on others? (LinearPatch's ablation of the calibration set.)
#pragma once

#include "core/study/study.h"

namespace suture {

/// Perplexities on T texts. A text gives the windows a patch is fitted on, and the windows behind them to evaluate on.
struct DomainMatrix {
    std::vector<std::string> texts;              ///< file names without folder
    std::vector<std::int64_t> fitted, measured;  ///< windows of each text that were fitted on, and evaluated on
    Matrix perplexity;                           ///< [T, T]: patch fitted on the row's text, evaluated on the column's
    std::vector<double> dense, unpatched;        ///< [T] without removal, and without repair
    std::string kind;                            ///< of the repair
    nlohmann::json conditions;                   ///< {seqlen, bos, dtype, removed, settings}
};

/// The windows of one text, apart: of `windows` the first `fit` and all behind them.
struct TextHalves {
    Windows fit, rest;
};
/// The first settings.windows.windows windows, and the settings.evaluation_windows behind them (0: all). A text too short for both
/// gives fewer windows to fit on, but at least half of them. Throws Error naming a text that gives fewer than two windows.
TextHalves text_halves(const Study& study, const TextSource& source, const JobSettings& settings);

/// Calibrates on every text, fits `kind` at the seams of `removed`, and evaluates all patches on all texts. Statistics and
/// evaluations in the study's store are not computed again. Throws a usage Error for a kind that is not fitted, for fewer than two
/// texts or no removed layer; Cancelled.
DomainMatrix cross_domain(const Study& study, std::span<const TextSource> texts, const LayerSet& removed, const std::string& kind,
                          const JobSettings& settings, Progress& progress);

}  // namespace suture
