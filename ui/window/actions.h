// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and their shortcuts.
#pragma once

#include <QMenuBar>

namespace suture {

class MainWindow;

/// Fills the menu bar; what can be done now follows the window's session by itself.
void fill_menus(MainWindow& window, QMenuBar& bar);

}  // namespace suture
