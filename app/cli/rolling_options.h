// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the subcommands that measure rolling perplexity.
#pragma once

#include "app/cli/common.h"
#include "core/evaluation/rolling.h"

namespace suture::cli {

struct RollingOptions {
    std::filesystem::path file;  ///< a raw WikiText file, a .jsonl file or a text; empty: not asked for
    RollingSettings settings;

    /// Adds the options; the text is called `name`, e.g. "--rolling".
    void add_to(CLI::App& app, const std::string& name);
    bool wanted() const { return !file.empty(); }
    /// Throws a usage Error where options say how to measure and no text is named.
    void check_use() const;

private:
    const CLI::App* command_ = nullptr;  ///< what add_to() was given
    std::string option_;
};

/// Reads the documents, says what will be computed, and scores the variants. Results already in the cache are not computed again.
std::vector<RollingEvaluation> run_rolling(const RollingOptions& options, const Common& common, const Study& study,
                                           std::span<const Variant> variants, Progress& progress);

}  // namespace suture::cli
