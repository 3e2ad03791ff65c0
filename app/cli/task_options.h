// SPDX-License-Identifier: GPL-3.0-or-later
// Options of the subcommands that score tasks.
#pragma once

#include "app/cli/common.h"
#include "core/tasks/run.h"

namespace suture::cli {

struct TaskOptions {
    std::string tasks;                   ///< "arc_easy,piqa"; empty: none asked for
    std::filesystem::path data = ".";    ///< laid out as docs/tasks.md tells
    std::filesystem::path harness_json;  ///< results file in lm_eval's form, or empty
    TaskSettings settings;

    /// Adds the options; the list of tasks is called `name`, e.g. "--tasks".
    void add_to(CLI::App& app, const std::string& name);
    bool wanted() const { return !tasks.empty(); }
    /// Throws a usage Error where options say how to score tasks and none is named.
    void check_use() const;
    /// Throws a usage Error for unknown names; Error for files that are absent or wrong.
    std::vector<TaskDocuments> read() const;

private:
    const CLI::App* command_ = nullptr;  ///< what add_to() was given
    std::string option_;
};

/// Reads the tasks, says their warnings and what will be computed, and scores them: [variant][task]. Results already in the cache
/// are not computed again. Writes the harness's form of every variant where that is asked for.
std::vector<std::vector<TaskResult>> run_tasks(const TaskOptions& options, const Common& common, const Study& study,
                                               const std::vector<std::string>& names, std::span<const Variant> variants,
                                               Progress& progress);

}  // namespace suture::cli
