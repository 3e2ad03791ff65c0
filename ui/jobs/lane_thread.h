// SPDX-License-Identifier: GPL-3.0-or-later
// The thread behind a lane. Only lanes.cpp needs this.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include "ui/jobs/lanes.h"

namespace suture {

/// One piece of work. `info` and `wishes` belong to the window's thread; the rest is shared with the lane's thread.
struct Task {
    JobInfo info;
    std::vector<std::shared_ptr<Interest::Wish>> wishes;
    Key key;
    Work work;
    std::stop_source stop;
    std::mutex mutex;
    bool started = false;  // guarded by mutex, as are the next two
    bool reported = false;
    ProgressReport latest;
    std::chrono::steady_clock::time_point began;
};

struct Interest::Wish {
    Lanes* lanes = nullptr;
    std::weak_ptr<Task> task;
    WhenDone done;
};

/// Runs the task on the calling thread.
Outcome run(Task& task);

class LaneThread {
public:
    /// Called on the lane's thread.
    using Ended = std::function<void(std::shared_ptr<Task>, Outcome)>;

    explicit LaneThread(Ended ended);
    void add(std::shared_ptr<Task> task);
    /// False when the task is no longer waiting.
    bool remove(const std::shared_ptr<Task>& task);
    void ask_to_end();
    /// False when the thread did not end in time; it then goes on without its owner.
    bool wait_until(std::chrono::steady_clock::time_point deadline);

private:
    struct State {
        std::mutex mutex;
        std::condition_variable wake, gone;
        std::deque<std::shared_ptr<Task>> waiting;
        bool end = false, ended = false;
    };
    static void loop(State& state, const Ended& ended);
    std::shared_ptr<State> state_ = std::make_shared<State>();  // outlives the owner when the thread does
    std::thread thread_;
};

}  // namespace suture
