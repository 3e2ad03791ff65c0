// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/theme_choice.h"

#include <QSettings>

#include "ui/theme/theme.h"

namespace suture {
namespace {

const QString setting = QStringLiteral("theme");
QString in_effect;  // may come from the command line and is then not kept

}  // namespace

QString theme_choice() { return in_effect.isEmpty() ? QSettings().value(setting, QStringLiteral("system")).toString() : in_effect; }

void choose_theme(const QString& choice, bool keep) {
    static const Theme desktop = preferred_theme();  // our own palette hides it afterwards
    in_effect = choice;
    apply_theme(*qApp, choice == QLatin1String("light") ? Theme::Light : choice == QLatin1String("dark") ? Theme::Dark : desktop);
    if (keep) QSettings().setValue(setting, choice);
}

}  // namespace suture
