// SPDX-License-Identifier: GPL-3.0-or-later
// Light, dark, or as the desktop has it; kept between runs.
#pragma once

#include <QString>

namespace suture {

/// "light", "dark" or "system".
QString theme_choice();
/// Puts the choice into effect for the whole program; `keep` it for the next run.
void choose_theme(const QString& choice, bool keep);

}  // namespace suture
