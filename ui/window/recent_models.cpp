// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent_models.h"

#include <QDir>
#include <QSettings>

namespace suture {
namespace {

const QString setting = QStringLiteral("recent_models");
constexpr qsizetype remembered = 8;

}  // namespace

QStringList recent_models() {
    QStringList list = QSettings().value(setting).toStringList();
    list.removeIf([](const QString& folder) { return !QDir(folder).exists(); });
    return list;
}

void remember_model(const std::filesystem::path& folder) {
    QStringList list = recent_models();
    const QString name = QString::fromStdString(folder.string());
    list.removeAll(name);
    list.prepend(name);
    QSettings().setValue(setting, list.mid(0, remembered));
}

}  // namespace suture
