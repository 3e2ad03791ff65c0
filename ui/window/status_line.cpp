// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_line.h"

#include <unistd.h>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QProgressBar>
#include <QPushButton>
#include <fstream>

#include "core/figures/words.h"

namespace suture {
namespace {

/// Bytes of this program that lie in memory; 0 where the system does not tell.
double resident_bytes() {
    std::ifstream file("/proc/self/statm");
    double size = 0, resident = 0;
    file >> size >> resident;
    return file ? resident * double(sysconf(_SC_PAGESIZE)) : 0;
}

QString ending_words(const JobInfo& job) {
    switch (job.state) {
        case JobInfo::State::Finished:
            return QObject::tr("%1 finished in %2").arg(job.title, duration_words(job.seconds));
        case JobInfo::State::Cancelled:
            return (job.dropped ? QObject::tr("%1 stopped because the choice changed") : QObject::tr("%1 was cancelled")).arg(job.title);
        case JobInfo::State::Failed:
            return QObject::tr("%1 failed").arg(job.title);
        default:
            return {};
    }
}

}  // namespace

StatusLine::StatusLine(Lanes& lanes, QWidget* parent)
    : QFrame(parent),
      lanes_(lanes),
      words_(new ElidedLabel(this)),
      bar_(new QProgressBar(this)),
      memory_(make_muted_label(QStringLiteral("status.memory"), this)),
      cancel_(new QPushButton(tr("Cancel"), this)) {
    setObjectName(QStringLiteral("status"));
    setToolTip(tr("Click to see all jobs"));
    words_->setObjectName(QStringLiteral("status.words"));
    bar_->setObjectName(QStringLiteral("status.bar"));
    bar_->setTextVisible(false);
    bar_->setFixedSize(160, 10);
    cancel_->setObjectName(QStringLiteral("status.cancel"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(10, 3, 10, 3);
    line->setSpacing(12);
    line->addWidget(bar_);
    line->addWidget(words_, 1);
    line->addWidget(memory_);
    line->addWidget(cancel_);
    setFixedHeight(cancel_->sizeHint().height() + 8);  // with the button or without
    connect(cancel_, &QPushButton::clicked, this, &StatusLine::cancel);
    connect(&lanes_, &Lanes::job_added, this, &StatusLine::refresh);
    connect(&lanes_, &Lanes::job_changed, this, &StatusLine::job_changed);
    connect(&lanes_, &Lanes::became_idle, this, &StatusLine::refresh);
    connect(&tick_, &QTimer::timeout, this, &StatusLine::show_memory);
    tick_.start(1000);
    show_memory();
    refresh();
}

void StatusLine::job_changed(int id) {
    if (const JobInfo* job = lanes_.job(id);
        job && !job->active() && (job->lane == Lane::Heavy || job->state == JobInfo::State::Failed || id == shown_))
        last_ = ending_words(*job);
    refresh();
}

void StatusLine::refresh() {
    constexpr double blink = 0.3;  // light work is mostly over before it could be read
    const JobInfo* job = lanes_.foreground();
    if (job && job->lane == Lane::Light && job->seconds < blink) job = nullptr;
    shown_ = job ? job->id : 0;
    cancel_->setVisible(job != nullptr);
    bar_->setVisible(job != nullptr);
    if (!job) {
        words_->set_whole(last_.isEmpty() ? tr("Ready") : last_);
        return;
    }
    const ProgressReport& progress = job->progress;
    bar_->setRange(0, progress.total > 0 ? 1000 : 0);
    if (progress.total > 0) bar_->setValue(int(1000 * progress.done / progress.total));
    const QString words = progress_words(progress);
    words_->set_whole(words.isEmpty() || words.startsWith(job->title) ? (words.isEmpty() ? job->title : words)
                                                                      : job->title + QStringLiteral(" · ") + words);
}

void StatusLine::show_memory() {
    if (const double bytes = resident_bytes(); bytes > 0) memory_->setText(QString::fromStdString(size_words(bytes)));
    memory_->setToolTip(tr("Memory this program holds now, mapped weights included"));
}

void StatusLine::cancel() {
    if (const JobInfo* job = lanes_.foreground()) lanes_.cancel(job->id);
}

void StatusLine::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->pos())) Q_EMIT clicked();
}

}  // namespace suture
