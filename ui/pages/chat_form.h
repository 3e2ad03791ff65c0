// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a checkpoint has a chat template, as a check box shows it.
#pragma once

#include <QCheckBox>

#include "core/base/error.h"
#include "core/generation/chat_template.h"
#include "ui/session/session.h"

namespace suture {

/// Hidden without a template; disabled, with the reason, for one that is not supported. Reads the checkpoint's small files.
inline void show_chat_form(QCheckBox* box, const Session& session) {
    box->setVisible(false);
    if (!session.study()) return;
    try {
        const auto chat = ChatTemplate::open(session.study()->model()->folder());
        if (!chat) return;
        box->setText(QObject::tr("&Chat form (%1)").arg(QString::fromStdString(chat->name())));
        box->setToolTip(QObject::tr("Puts the prompt into the checkpoint's chat template, as a user's message"));
        box->setEnabled(true);
    } catch (const Error& error) {
        box->setText(QObject::tr("&Chat form"));
        box->setToolTip(QString::fromUtf8(error.what()));
        box->setEnabled(false);
    }
    box->setVisible(true);
}

}  // namespace suture
