// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/lanes.h"

#include <algorithm>
#include <utility>

#include "ui/jobs/lane_thread.h"

namespace suture {
namespace {

constexpr std::size_t remembered = 50;
constexpr int poll_milliseconds = 50;

}  // namespace

/// A way from the lanes' threads to the window's that stays safe when Lanes is gone before a thread.
struct Mailbox {
    std::mutex mutex;
    Lanes* owner = nullptr;
    template <class Function>
    void post(Function function) {
        const std::lock_guard lock(mutex);
        if (owner) QMetaObject::invokeMethod(owner, std::move(function), Qt::QueuedConnection);
    }
};

Interest::Interest(Interest&& other) noexcept : wish_(std::exchange(other.wish_, nullptr)) {}

Interest& Interest::operator=(Interest&& other) noexcept {
    if (this != &other) {
        drop();
        wish_ = std::exchange(other.wish_, nullptr);
    }
    return *this;
}

Interest::~Interest() { drop(); }

void Interest::drop() {
    if (const auto wish = std::exchange(wish_, nullptr); wish && wish->lanes) wish->lanes->drop(*wish);
}

int Interest::job() const {
    const auto task = wish_ ? wish_->task.lock() : nullptr;
    return task ? task->info.id : 0;
}

struct Lanes::Private {
    std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
};

Lanes::Lanes(QObject* parent) : QObject(parent), d_(std::make_unique<Private>()) {
    d_->mailbox->owner = this;
    for (const Lane lane : {Lane::Heavy, Lane::Light, Lane::Preview})
        threads_[lane] = std::make_shared<LaneThread>([this, mailbox = d_->mailbox](std::shared_ptr<Task> task, Outcome outcome) {
            mailbox->post([this, task = std::move(task), outcome = std::move(outcome)] { finish(task, outcome); });
        });
    poll_.setInterval(poll_milliseconds);
    connect(&poll_, &QTimer::timeout, this, &Lanes::poll);
}

Lanes::~Lanes() {
    shut_down();
    for (const auto& task : tasks_)
        for (const auto& wish : task->wishes) wish->lanes = nullptr;
}

bool Lanes::shut_down() {
    if (std::exchange(shut_, true)) return true;
    {
        const std::lock_guard lock(d_->mailbox->mutex);
        d_->mailbox->owner = nullptr;
    }
    poll_.stop();
    for (const auto& task : tasks_) task->stop.request_stop();
    for (const auto& [lane, thread] : threads_) thread->ask_to_end();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    bool all = true;
    for (const auto& [lane, thread] : threads_) all = thread->wait_until(deadline) && all;
    return all;
}

Interest Lanes::submit(const Key& key, const QString& title, Lane lane, Work work, WhenDone done) {
    if (shut_) return {};
    auto wish = std::make_shared<Interest::Wish>(Interest::Wish{.lanes = this, .task = {}, .done = std::move(done)});
    for (const auto& task : tasks_) {
        if (key.empty() || task->key != key || task->info.lane != lane || !task->info.active() || task->stop.stop_requested()) continue;
        wish->task = task;
        task->wishes.push_back(wish);
        return Interest(wish);
    }
    auto task = std::make_shared<Task>();
    task->info = {.id = ++last_id_, .title = title, .lane = lane};
    task->key = key;
    task->work = std::move(work);
    task->wishes.push_back(wish);
    wish->task = task;
    tasks_.push_back(task);
    threads_[lane]->add(task);
    poll_.start();
    Q_EMIT job_added(task->info.id);
    return Interest(wish);
}

void Lanes::cancel(int job) {
    for (const auto& task : tasks_) {
        if (task->info.id != job || !task->info.active()) continue;
        task->stop.request_stop();
        if (threads_[task->info.lane]->remove(task))  // it never began, so nobody else will tell
            QMetaObject::invokeMethod(
                this, [this, task] { finish(task, {.state = JobInfo::State::Cancelled}); }, Qt::QueuedConnection);
        return;
    }
}

void Lanes::cancel_all() {
    for (const auto& info : jobs()) cancel(info.id);
}

void Lanes::drop(Interest::Wish& wish) {
    const auto task = wish.task.lock();
    wish.lanes = nullptr;
    wish.task.reset();
    wish.done = nullptr;
    if (!task) return;
    std::erase_if(task->wishes, [&](const auto& other) { return other.get() == &wish; });
    if (!task->wishes.empty() || shut_) return;
    task->info.dropped = !task->stop.stop_requested();
    cancel(task->info.id);
}

void Lanes::finish(const std::shared_ptr<Task>& task, const Outcome& outcome) {
    if (!task->info.active()) return;
    task->info.state = outcome.state;
    task->info.message = outcome.message;
    task->info.details = outcome.details;
    {
        const std::lock_guard lock(task->mutex);
        task->info.progress = task->latest;
        if (task->started) task->info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - task->began).count();
    }
    const auto wishes = std::exchange(task->wishes, {});
    for (const auto& wish : wishes) {
        wish->task.reset();
        wish->lanes = nullptr;
    }
    Q_EMIT job_changed(task->info.id);
    for (const auto& wish : wishes)
        if (const auto done = std::exchange(wish->done, nullptr)) done(outcome);
    forget_old();
    if (idle()) {
        poll_.stop();
        Q_EMIT became_idle();
    }
}

void Lanes::poll() {
    std::vector<int> moved;
    for (const auto& task : tasks_) {
        if (!task->info.active()) continue;
        const std::lock_guard lock(task->mutex);
        if (!task->started) continue;
        task->info.state = JobInfo::State::Running;
        task->info.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - task->began).count();
        if (std::exchange(task->reported, false)) task->info.progress = task->latest;
        moved.push_back(task->info.id);
    }
    for (const int id : moved) Q_EMIT job_changed(id);
}

void Lanes::forget_old() {
    const auto preview = [](const auto& task) { return task->info.lane == Lane::Preview && !task->info.active(); };
    const auto ended = [](const auto& task) { return !task->info.active(); };
    while (true) {
        auto oldest = std::find_if(tasks_.begin(), tasks_.end(), preview);
        if (oldest == tasks_.end() && tasks_.size() > remembered) oldest = std::find_if(tasks_.begin(), tasks_.end(), ended);
        if (oldest == tasks_.end()) return;
        const int id = (*oldest)->info.id;
        tasks_.erase(oldest);
        Q_EMIT job_removed(id);
    }
}

const JobInfo* Lanes::job(int id) const {
    const auto task = std::find_if(tasks_.begin(), tasks_.end(), [id](const auto& t) { return t->info.id == id; });
    return task == tasks_.end() ? nullptr : &(*task)->info;
}

std::vector<JobInfo> Lanes::jobs() const {
    std::vector<JobInfo> list;
    for (const auto& task : tasks_) list.push_back(task->info);
    return list;
}

const JobInfo* Lanes::foreground() const {
    for (const Lane lane : {Lane::Heavy, Lane::Light})
        for (const auto& task : tasks_)
            if (task->info.active() && task->info.lane == lane) return &task->info;
    return nullptr;
}

bool Lanes::idle() const {
    return std::none_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->info.active(); });
}

}  // namespace suture
