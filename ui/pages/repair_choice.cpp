// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/repair_choice.h"

#include <QCheckBox>
#include <algorithm>

#include "ui/pages/control_panel.h"
#include "ui/session/session.h"

namespace suture {

RepairChoice::RepairChoice(ControlPanel& panel, Session& session) : QObject(&panel), session_(session) {
    panel.add_heading(tr("Dense model against"));
    for (const RepairInfo& info : repair_kinds()) {
        const QString name = QString::fromStdString(info.name);
        kinds_.push_back(
            panel.add_check(QStringLiteral("repair.") + name, QString::fromStdString(info.label), QString::fromStdString(info.help)));
        kinds_.back()->setProperty("kind", name);
        connect(kinds_.back(), &QCheckBox::toggled, this, &RepairChoice::change);
    }
}

void RepairChoice::change() {
    Document after = session_.document();
    after.repairs.clear();
    for (const QCheckBox* box : kinds_)
        if (box->isChecked()) after.repairs.push_back(box->property("kind").toString().toStdString());
    session_.change(std::move(after), tr("Repairs to evaluate"), QStringLiteral("repairs"));
}

void RepairChoice::show() {
    const Document& d = session_.document();
    for (QCheckBox* box : kinds_) {
        const RepairInfo info = repair_kind(box->property("kind").toString().toStdString());
        show_checked(box, std::find(d.repairs.begin(), d.repairs.end(), info.name) != d.repairs.end());
        const std::string refusal = session_.study() ? repair_refusal(info.name, **session_.study(), d.removed) : std::string();
        box->setEnabled(refusal.empty());  // a refused kind is not measured
        box->setToolTip(QString::fromStdString(refusal.empty() ? info.help : refusal));
    }
}

}  // namespace suture
