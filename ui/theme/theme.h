// SPDX-License-Identifier: GPL-3.0-or-later
// Light or dark: one look for the whole program, independent of the desktop's own style.
#pragma once

#include <QApplication>

namespace suture {

enum class Theme { Light, Dark };

/// What the desktop seems to prefer, told from the brightness of the palette it gave. Ask before apply_theme().
Theme preferred_theme();

/// Fusion style with our palette. Widgets get QEvent::PaletteChange and repaint; plots recolour themselves.
void apply_theme(QApplication& application, Theme theme);

/// The theme of the palette in use.
Theme current_theme();

}  // namespace suture
