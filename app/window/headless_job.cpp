// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/headless_job.h"

#include <unistd.h>
#include <QCoreApplication>
#include <QEventLoop>
#include <QThread>
#include <iostream>

#include "app/window/interrupt.h"
#include "core/base/error.h"

namespace suture {
namespace {

constexpr int moment_milliseconds = 20;

void pass_events() {
    QCoreApplication::processEvents(QEventLoop::AllEvents, moment_milliseconds);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

}  // namespace

HeadlessJob::HeadlessJob(MainWindow& window, const Options& options) : window_(window), options_(options) {
    window.preview().set_on(false);  // nobody watches
    connect(&window.session().lanes(), &Lanes::job_changed, this, &HeadlessJob::report_progress);
}

void HeadlessJob::report_progress(int id) {
    static const bool terminal = isatty(STDERR_FILENO) != 0;
    const JobInfo* job = window_.session().lanes().job(id);
    if (!job || job->lane != Lane::Heavy) return;
    if (job->state == JobInfo::State::Finished)
        std::cerr << (terminal ? "\r\033[K" : "") << job->title.toStdString() << ": " << duration_words(job->seconds).toStdString()
                  << std::endl;
    else if (terminal && job->state == JobInfo::State::Running)
        std::cerr << "\r\033[K" << progress_words(job->progress).toStdString() << std::flush;
}

void HeadlessJob::finish(LiveBase& live) {
    Lanes& lanes = window_.session().lanes();
    while (live.running()) {
        if (interrupted()) lanes.cancel_all();
        pass_events();
        QThread::msleep(5);
    }
    if (interrupted()) throw Cancelled();
    if (live.state() == LiveBase::State::Failed)
        throw Error(live.message().toStdString(), live.failure_kind(), live.details().toStdString());
    settle();
}

void HeadlessJob::settle() {
    Lanes& lanes = window_.session().lanes();
    for (int quiet = 0; quiet < 3; quiet = lanes.idle() ? quiet + 1 : 0) {
        if (interrupted()) throw Cancelled();
        pass_events();
        QThread::msleep(5);
    }
}

void HeadlessJob::open(const std::filesystem::path& model) {
    window_.open_model(model, options_.calibration, options_.evaluation);
    finish(window_.session().opening());
}

void HeadlessJob::calibrate() {
    Results& results = window_.results();
    if (results.statistics.fresh()) return;
    if (const QString obstacle = results.why_not_calibrate(); !obstacle.isEmpty()) throw Error(obstacle.toStdString());
    results.calibrate();
    finish(results.statistics);
}

void HeadlessJob::evaluate() {
    Results& results = window_.results();
    if (const QString obstacle = results.why_not_evaluate(); !obstacle.isEmpty()) throw Error(obstacle.toStdString());
    results.evaluate();
    finish(results.evaluation);
}

void HeadlessJob::export_to(const std::filesystem::path& folder) {
    Document after = window_.session().document();
    after.export_folder = folder;
    window_.session().change(std::move(after), tr("Export folder"));
    window_.results().export_model();
    finish(window_.results().exported);
}

}  // namespace suture
