// SPDX-License-Identifier: GPL-3.0-or-later
// One colour per meaning in the whole program, after Okabe and Ito's palette, which colour-blind people can tell apart.
#pragma once

#include <QColor>

#include "core/base/figure.h"
#include "ui/theme/theme.h"

namespace suture {

/// The colour of a curve, bar or mark with this meaning.
QColor role_colour(Role role, Theme theme);

/// What surrounds the data.
struct PaperColours {
    QColor paper;  ///< behind the data
    QColor text;   ///< titles and numbers
    QColor muted;  ///< captions, crosshair, what is switched off
    QColor frame;  ///< axes
    QColor grid;
    QColor bubble;  ///< behind the read-out at the cursor
};
PaperColours paper_colours(Theme theme);

/// `a` with the share `t` of `b`, 0 … 1.
QColor blended(const QColor& a, const QColor& b, double t);

}  // namespace suture
