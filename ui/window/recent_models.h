// SPDX-License-Identifier: GPL-3.0-or-later
// The models opened lately, newest first, kept between runs.
#pragma once

#include <QStringList>
#include <filesystem>

namespace suture {

/// Folders that still exist.
QStringList recent_models();
void remember_model(const std::filesystem::path& folder);

}  // namespace suture
