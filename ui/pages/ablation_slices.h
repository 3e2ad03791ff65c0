// SPDX-License-Identifier: GPL-3.0-or-later
// Which rows of an ablation the plot shows.
#pragma once

#include <QWidget>
#include <vector>

#include "core/figures/ablation.h"

class QComboBox;
class QLabel;

namespace suture {

/// A line of choices; those that have no alternative are hidden.
class AblationSlices : public QWidget {
    Q_OBJECT
public:
    explicit AblationSlices(QWidget* parent);
    /// Null: there is nothing to choose from.
    void show_choices(const Ablation* ablation);
    const AblationSlice& slice() const { return slice_; }
    void set_along_windows(bool along);

Q_SIGNALS:
    void changed();

private:
    struct Choice {
        QLabel* caption;
        QComboBox* combo;
    };
    Choice add(const QString& name, const QString& caption, const QString& help, const std::function<void(const QVariant&)>& take);

    AblationSlice wish_;   // what a person has chosen, here or for earlier rows
    AblationSlice slice_;  // what there is of it
    Choice along_, evaluation_, model_, calibration_, criterion_, windows_, removed_;
};

}  // namespace suture
