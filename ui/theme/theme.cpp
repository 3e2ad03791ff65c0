// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <QPalette>
#include <QStyleFactory>

namespace suture {
namespace {

struct Shades {
    QRgb window, base, alternate, button, text, muted, bright, highlight, on_highlight, link, light, mid, dark;
};

constexpr Shades light_shades{0xfff4f5f7, 0xffffffff, 0xfff7f8fa, 0xffe9ecf0, 0xff1d2329, 0xff8a929b, 0xffffffff,
                              0xff0072b2, 0xffffffff, 0xff0b66a8, 0xffffffff, 0xffb9c0c8, 0xff98a1ab};
// Fields are lighter than the window: Fusion frames them with a darker tone of it, which would vanish on darker ones.
constexpr Shades dark_shades{0xff1f2327, 0xff2a2f36, 0xff2f353d, 0xff363d46, 0xffe6e9ec, 0xff87909a, 0xffffffff,
                             0xff3d8fc6, 0xffffffff, 0xff6fbcf0, 0xff414952, 0xff15181b, 0xff101215};

QPalette palette_of(const Shades& s) {
    QPalette palette(QColor::fromRgb(s.button), QColor::fromRgb(s.window));
    const auto set = [&](QPalette::ColorRole role, QRgb colour) { palette.setColor(role, QColor::fromRgb(colour)); };
    set(QPalette::Window, s.window);
    set(QPalette::Base, s.base);
    set(QPalette::AlternateBase, s.alternate);
    set(QPalette::Button, s.button);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) set(role, s.text);
    set(QPalette::ToolTipBase, s.alternate);
    set(QPalette::PlaceholderText, s.muted);
    set(QPalette::BrightText, s.bright);
    set(QPalette::Highlight, s.highlight);
    set(QPalette::HighlightedText, s.on_highlight);
    set(QPalette::Link, s.link);
    set(QPalette::LinkVisited, s.link);
    set(QPalette::Light, s.light);
    set(QPalette::Midlight, s.button);
    set(QPalette::Mid, s.mid);
    set(QPalette::Dark, s.dark);
    set(QPalette::Shadow, s.dark);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(s.muted));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(s.mid));
    return palette;
}

Theme theme_of(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness() ? Theme::Dark : Theme::Light;
}

}  // namespace

Theme preferred_theme() { return theme_of(QApplication::palette()); }

void apply_theme(QApplication& application, Theme theme) {
    application.setStyle(QStyleFactory::create("Fusion"));
    application.setPalette(palette_of(theme == Theme::Dark ? dark_shades : light_shades));
}

Theme current_theme() { return theme_of(QApplication::palette()); }

}  // namespace suture
