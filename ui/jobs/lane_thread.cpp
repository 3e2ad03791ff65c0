// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/lane_thread.h"

#include "core/base/error.h"

namespace suture {

Outcome run(Task& task) {
    {
        const std::lock_guard lock(task.mutex);
        task.started = true;
        task.began = std::chrono::steady_clock::now();
    }
    Progress progress(task.stop.get_token(), [&task](const ProgressReport& report) {
        const std::lock_guard lock(task.mutex);
        task.latest = report;
        task.reported = true;
    });
    Outcome outcome;
    try {
        progress.check();
        outcome.result = task.work(progress);
        progress.check();
    } catch (const Cancelled&) {
        outcome = {.state = JobInfo::State::Cancelled};
    } catch (const std::exception& problem) {
        outcome = failed_outcome(problem);
    }
    task.work = nullptr;  // lets go of what it captured here, not on the window's thread
    return outcome;
}

LaneThread::LaneThread(Ended ended) {
    thread_ = std::thread([state = state_, ended = std::move(ended)] { loop(*state, ended); });
}

void LaneThread::loop(State& state, const Ended& ended) {
    std::unique_lock lock(state.mutex);
    while (true) {
        state.wake.wait(lock, [&] { return state.end || !state.waiting.empty(); });
        if (state.end) break;
        auto task = std::move(state.waiting.front());
        state.waiting.pop_front();
        lock.unlock();
        Outcome outcome = run(*task);
        ended(std::move(task), std::move(outcome));
        lock.lock();
    }
    state.ended = true;
    state.gone.notify_all();
}

void LaneThread::add(std::shared_ptr<Task> task) {
    const std::lock_guard lock(state_->mutex);
    state_->waiting.push_back(std::move(task));
    state_->wake.notify_one();
}

bool LaneThread::remove(const std::shared_ptr<Task>& task) {
    const std::lock_guard lock(state_->mutex);
    return std::erase(state_->waiting, task) > 0;
}

void LaneThread::ask_to_end() {
    const std::lock_guard lock(state_->mutex);
    state_->end = true;
    state_->waiting.clear();
    state_->wake.notify_one();
}

bool LaneThread::wait_until(std::chrono::steady_clock::time_point deadline) {
    std::unique_lock lock(state_->mutex);
    const bool ended = state_->gone.wait_until(lock, deadline, [&] { return state_->ended; });
    lock.unlock();
    if (ended) thread_.join();
    else thread_.detach();
    return ended;
}

}  // namespace suture
