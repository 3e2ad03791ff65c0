// SPDX-License-Identifier: GPL-3.0-or-later
// Work off the window's thread: one thread per lane, cancellation, and progress at a rate that people can read.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <vector>

#include "ui/jobs/job.h"

namespace suture {

class LaneThread;
struct Task;

/// Somebody's wish for a job's result. Letting go of the last wish cancels the job.
class Interest {
public:
    Interest() = default;
    Interest(Interest&&) noexcept;
    Interest& operator=(Interest&&) noexcept;
    ~Interest();
    /// Lets go: the callback will not be called any more.
    void drop();
    /// The job's number; 0 when there is none.
    int job() const;

    struct Wish;

private:
    friend class Lanes;
    explicit Interest(std::shared_ptr<Wish> wish) : wish_(std::move(wish)) {}
    std::shared_ptr<Wish> wish_;
};

class Lanes : public QObject {
    Q_OBJECT
public:
    explicit Lanes(QObject* parent = nullptr);
    /// As shut_down().
    ~Lanes() override;

    /// Queues the work, or joins a queued or running job of the same lane with an equal, non-empty Key. `done` is called from the
    /// event loop of this object's thread, never from within submit().
    [[nodiscard]] Interest submit(const Key& key, const QString& title, Lane lane, Work work, WhenDone done);
    /// Asks the job to stop; whoever wants its result is told that it was cancelled.
    void cancel(int job);
    void cancel_all();
    /// Cancels everything and waits for the threads, 2 s at most. False when one of them did not stop; it is left to itself then.
    bool shut_down();

    /// Null for a number that is not known (any more).
    const JobInfo* job(int id) const;
    /// All jobs since the start, oldest first; of the finished ones only the last few dozen.
    std::vector<JobInfo> jobs() const;
    /// The job a person waits for: the oldest heavy one that has not ended, else the oldest light one; null when all have.
    const JobInfo* foreground() const;
    /// Nothing runs and nothing waits.
    bool idle() const;

Q_SIGNALS:
    void job_added(int id);
    /// State or progress; at most 20 times a second for progress.
    void job_changed(int id);
    void job_removed(int id);
    /// The last job ended.
    void became_idle();

private:
    void finish(const std::shared_ptr<Task>& task, const Outcome& outcome);
    void poll();
    void drop(Interest::Wish& wish);
    void forget_old();
    friend class Interest;

    struct Private;
    std::unique_ptr<Private> d_;
    std::map<Lane, std::shared_ptr<LaneThread>> threads_;
    std::vector<std::shared_ptr<Task>> tasks_;  // oldest first
    QTimer poll_;
    int last_id_ = 0;
    bool shut_ = false;
};

}  // namespace suture
