// SPDX-License-Identifier: GPL-3.0-or-later
// The kind of repair and the settings that matter to it.
#pragma once

#include <QObject>

#include "ui/session/results.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace suture {

class ControlPanel;

class RepairSettingsRows : public QObject {
    Q_OBJECT
public:
    /// Adds the rows to `panel`. Settings that don't suit the chosen kind are hidden.
    RepairSettingsRows(ControlPanel& panel, Session& session, Results& results);
    void show();

private:
    void make_map_settings();
    void make_fit_settings();
    void change(const QString& step);
    void show_settings(const RepairInfo& info);

    ControlPanel& panel_;
    Session& session_;
    Results& results_;
    QComboBox *kind_, *definition_, *massive_, *fit_;
    QDoubleSpinBox* ridge_;
    QCheckBox *search_, *bias_;
    QSpinBox *rank_, *cascade_;
    QLabel* note_;
};

}  // namespace suture
