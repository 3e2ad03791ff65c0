// SPDX-License-Identifier: GPL-3.0-or-later
// Above the pages while there are no numbers, or old ones: what is missing, what it takes, and the button that gets it.
#pragma once

#include <QFrame>

#include "ui/session/results.h"

class QLabel;
class QPushButton;

namespace suture {

class CalibrateBar : public QFrame {
    Q_OBJECT
public:
    CalibrateBar(Session& session, Results& results, QWidget* parent = nullptr);
    /// Hides itself while the statistics are fresh.
    void refresh();

private:
    QString words() const;

    Session& session_;
    Results& results_;
    QLabel* words_;
    QPushButton* button_;
};

/// "about 40 s and 0.6 GB of memory".
QString cost_words(const Forecast& forecast);

}  // namespace suture
