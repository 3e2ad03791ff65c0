// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/options.h"

namespace suture {

/// Writes a picture of every page after the job, and of the window before it, to options.screenshots.
void take_screenshots(const Options& options, const std::filesystem::path& sample);

}  // namespace suture
