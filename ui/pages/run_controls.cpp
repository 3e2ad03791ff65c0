// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/run_controls.h"

#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "ui/pages/control_panel.h"

namespace suture {

RunControls::RunControls(ControlPanel& panel, Lanes& lanes, LiveBase& live, QString help)
    : QObject(&panel),
      live_(live),
      help_(std::move(help)),
      stop_text_(tr("Stop")),
      stop_help_(tr("Stops the measurement; what is finished until then is kept")),
      button_(panel.add_button(QStringLiteral("button"), {}, help_)),
      state_(panel.add_note(QStringLiteral("state"))) {
    connect(button_, &QPushButton::clicked, this, &RunControls::click);
    connect(&lanes, &Lanes::job_changed, this, [this](int id) {
        if (live_.job() && live_.job()->id == id) show_progress();
    });
}

void RunControls::set_stop(const QString& text, const QString& help) {
    stop_text_ = text;
    stop_help_ = help;
}

void RunControls::click() {
    if (live_.running()) live_.cancel();
    else Q_EMIT start();
}

void RunControls::show_progress() {
    const QString words = progress_words(live_.job()->progress);
    state_->setText(words.isEmpty() ? tr("Waiting for its turn") : words);
    state_->show();
}

void RunControls::show(const QString& verb, const QString& obstacle, double seconds) {
    if (live_.running()) {
        button_->setText(stop_text_);
        button_->setToolTip(stop_help_);
        button_->setEnabled(true);
        return show_progress();
    }
    button_->setText(obstacle.isEmpty() && seconds >= 0 ? tr("%1 (about %2)").arg(verb, duration_words(std::max(1.0, seconds))) : verb);
    button_->setToolTip(obstacle.isEmpty() ? help_ : obstacle);
    button_->setEnabled(obstacle.isEmpty());
    state_->setText(live_.state() == LiveBase::State::Failed ? live_.message() : obstacle);
    state_->setVisible(!state_->text().isEmpty());
}

}  // namespace suture
