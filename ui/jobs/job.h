// SPDX-License-Identifier: GPL-3.0-or-later
// What the window knows of one piece of work that runs, or ran, on another thread.
#pragma once

#include <QString>
#include <functional>
#include <memory>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/base/progress.h"

namespace suture {

/// Where work waits for its turn. A lane runs one job at a time, so light work never waits behind heavy work.
enum class Lane {
    Heavy,    ///< runs the model: calibration, evaluation, export
    Light,    ///< arithmetic on statistics, files, figures: moments
    Preview,  ///< what nobody asked for and nobody waits for: gives way to both others, and is not listed
};

struct JobInfo {
    enum class State { Queued, Running, Finished, Failed, Cancelled };

    int id = 0;
    QString title;  ///< what a person asked for, e.g. "Calibrate"
    Lane lane = Lane::Heavy;
    State state = State::Queued;
    ProgressReport progress;  ///< of the present stage
    double seconds = 0;       ///< running time so far, or in all
    QString message;          ///< why it failed, one sentence
    QString details;          ///< more for those who ask
    bool dropped = false;     ///< cancelled because nobody wanted the result any more, not by a person

    bool active() const { return state == State::Queued || state == State::Running; }
};

/// How a job ended: Finished with a result, Failed with a message, or Cancelled.
struct Outcome {
    JobInfo::State state = JobInfo::State::Finished;
    std::shared_ptr<const void> result;
    QString message, details;
    Error::Kind kind = Error::Kind::Internal;  ///< of a failure
};

/// Runs on a lane's thread; ends early by throwing Cancelled, suture::Error or any std::exception.
using Work = std::function<std::shared_ptr<const void>(Progress&)>;
/// Runs on the window's thread, once.
using WhenDone = std::function<void(const Outcome&)>;

/// What an exception says: one readable sentence, and the rest as details.
Outcome failed_outcome(const std::exception& problem);

/// "Calibrating · 12 of 32 windows · 3,400 tokens/s · 14 s left"; only what is known of it.
QString progress_words(const ProgressReport& report);
/// "0.4 s", "14 s", "3 min 20 s", "2 h 5 min".
QString duration_words(double seconds);

}  // namespace suture
