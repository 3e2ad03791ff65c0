// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/calibrate_bar.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <cmath>

#include "core/figures/words.h"
#include "ui/window/labels.h"

namespace suture {
namespace {

/// An estimate with one significant digit below a minute: nobody knows better.
QString about_words(double seconds) {
    if (seconds < 2) return QObject::tr("a second or two");
    const double step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 600 ? 60 : 300;
    const double rounded = std::ceil(seconds / step) * step;
    if (rounded < 60) return QObject::tr("about %1 s").arg(rounded);
    return QObject::tr("about %1 min").arg(std::round(rounded / 60));
}

}  // namespace

QString cost_words(const Forecast& forecast) {
    return QObject::tr("%1 and %2 of memory")
        .arg(about_words(forecast.seconds), QString::fromStdString(size_words(double(forecast.memory.resident))));
}

CalibrateBar::CalibrateBar(Session& session, Results& results, QWidget* parent)
    : QFrame(parent),
      session_(session),
      results_(results),
      words_(make_label(QStringLiteral("calibrate.words"), this)),
      button_(new QPushButton(tr("Calibrate"), this)) {
    setObjectName(QStringLiteral("calibrate_bar"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    words_->setWordWrap(true);
    button_->setDefault(true);
    button_->setObjectName(QStringLiteral("calibrate.button"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(14, 8, 14, 8);
    line->addWidget(words_, 1);
    line->addWidget(button_);
    connect(button_, &QPushButton::clicked, &results_, &Results::calibrate);
    refresh();
}

void CalibrateBar::refresh() {
    setVisible(session_.study() && !results_.statistics.fresh());
    if (!session_.study()) return;
    words_->setText(words());
    const QString obstacle = results_.why_not_calibrate();
    const auto forecast = results_.forecast.fresh_value();
    button_->setEnabled(obstacle.isEmpty());
    button_->setToolTip(obstacle);
    const bool again = results_.statistics.value() != nullptr;
    button_->setText((again ? tr("Calibrate again") : tr("Calibrate")) +
                     (forecast && !results_.statistics.running() ? tr(" (%1)").arg(cost_words(*forecast)) : QString()));
    button_->setMinimumWidth(0);
    give_room(button_);
}

QString CalibrateBar::words() const {
    const auto& live = results_.statistics;
    if (live.running()) return tr("The model is running over the calibration text; the pages fill when it is done.");
    if (live.state() == LiveBase::State::Failed) return live.message();
    if (live.state() == LiveBase::State::Stale)
        return tr("Stale: the numbers below rest on another calibration text or other settings than those chosen now.");
    if (session_.document().calibration.empty()) return tr("Not calibrated, and no calibration text is chosen: File, Calibration text…");
    if (results_.forecast.state() == LiveBase::State::Failed) return tr("Not calibrated. ") + results_.forecast.message();
    const auto forecast = results_.forecast.fresh_value();
    if (!forecast) return tr("Not calibrated. Looking at the calibration text …");
    return tr("Not calibrated: so far only the weights speak. One pass over %1 windows (%2 tokens) of the calibration text shows what each "
              "layer does.")
        .arg(forecast->windows)
        .arg(QString::fromStdString(grouped(forecast->tokens)));
}

}  // namespace suture
