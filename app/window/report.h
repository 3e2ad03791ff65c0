// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/options.h"

namespace suture {

/// Runs the job and writes options.report: figures/ (PNG, SVG, CSV), tables/ (CSV), results.json and checkpoint/. The folder
/// appears when it is complete; an earlier report of that name is replaced, any other folder refused.
void write_report(const Options& options, const std::filesystem::path& sample);

}  // namespace suture
