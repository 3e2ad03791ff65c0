// SPDX-License-Identifier: GPL-3.0-or-later
// What the Help menu opens.
#pragma once

#include <QWidget>

namespace suture {

void show_keyboard_help(QWidget& window);
void show_about(QWidget& window);

}  // namespace suture
