// SPDX-License-Identifier: GPL-3.0-or-later
// Which repairs are measured beside the dense model: the document's, wherever they are shown.
#pragma once

#include <QObject>
#include <vector>

class QCheckBox;

namespace suture {

class ControlPanel;
class Session;

class RepairChoice : public QObject {
    Q_OBJECT
public:
    /// Adds a heading and a box per kind, named "repair.<kind>".
    RepairChoice(ControlPanel& panel, Session& session);
    void show();

private:
    void change();

    Session& session_;
    std::vector<QCheckBox*> kinds_;  // in the order of repair_kinds()
};

}  // namespace suture
