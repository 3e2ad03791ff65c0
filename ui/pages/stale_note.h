// SPDX-License-Identifier: GPL-3.0-or-later
// The line above numbers that were made under other conditions than those chosen now.
#pragma once

#include <QLabel>

#include "core/base/layers.h"
#include "core/figures/words.h"
#include "ui/session/session.h"
#include "ui/window/labels.h"

namespace suture {

inline QLabel* make_stale_note(const QString& name, QWidget* parent) {
    QLabel* note = make_label(name, parent);
    note->setWordWrap(true);
    note->setMargin(6);
    set_bold(note);
    note->hide();
    return note;
}

/// `removed`: the layers that were missing when the numbers were made.
inline QString stale_words(const LayerSet& removed, const Session& session) {
    const std::string before = removal_words(removed, session.layers()), now = removal_words(session.document().removed, session.layers());
    if (before != now)
        return QObject::tr("Stale: these numbers are of a model that %1; the one chosen now %2.")
            .arg(QString::fromStdString(before), QString::fromStdString(now));
    return QObject::tr("Stale: text, repairs or settings have changed since these numbers were measured.");
}

inline void show_note(QLabel* note, const QString& words) {
    note->setText(words);
    note->setVisible(!words.isEmpty());
}

}  // namespace suture
