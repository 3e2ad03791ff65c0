// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/colours.h"

namespace suture {

QColor role_colour(Role role, Theme theme) {
    const bool dark = theme == Theme::Dark;  // the same hues, lighter, so that contrast stays
    switch (role) {
        case Role::Dense:
            return dark ? QColor(0x56, 0xb4, 0xe9) : QColor(0x00, 0x72, 0xb2);
        case Role::Unpatched:
            return dark ? QColor(0xf0, 0x7f, 0x43) : QColor(0xd5, 0x5e, 0x00);
        case Role::Patched:
            return dark ? QColor(0x35, 0xc4, 0x9b) : QColor(0x00, 0x9e, 0x73);
        case Role::Removed:
            return dark ? QColor(0xd9, 0x8f, 0xb8) : QColor(0xb8, 0x5a, 0x92);
        case Role::Accent:
            return dark ? QColor(0xf2, 0xb8, 0x3b) : QColor(0xc9, 0x85, 0x00);
        case Role::Neutral:
            break;
    }
    return dark ? QColor(0xa7, 0xb0, 0xba) : QColor(0x5f, 0x68, 0x72);
}

PaperColours paper_colours(Theme theme) {
    if (theme == Theme::Dark) return {"#2a2f36", "#e6e9ec", "#9aa3ad", "#767f89", "#3a4149", "#363d46"};
    return {"#ffffff", "#1d2329", "#6a727b", "#8a929b", "#e8ebee", "#fbfbfc"};
}

QColor blended(const QColor& a, const QColor& b, double t) {
    const auto mix = [t](int from, int to) { return int(from + (to - from) * t + 0.5); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace suture
