// SPDX-License-Identifier: GPL-3.0-or-later
// A result that follows its inputs: shown as fresh only while its Key is the one that is wanted.
#pragma once

#include "ui/jobs/lanes.h"

namespace suture {

/// All that does not depend on the type of the value.
class LiveBase : public QObject {
    Q_OBJECT
public:
    enum class State {
        Empty,    ///< nothing yet
        Running,  ///< being computed; value() may still hold the previous one
        Fresh,    ///< value() is what was wanted
        Stale,    ///< value() was made from other inputs than those wanted now
        Failed,   ///< message() tells why; value() may hold an older one
    };

    State state() const;
    bool fresh() const { return state() == State::Fresh; }
    bool running() const { return interest_.job() != 0; }
    /// One sentence; empty unless Failed.
    const QString& message() const { return message_; }
    const QString& details() const { return details_; }
    Error::Kind failure_kind() const { return failure_kind_; }
    /// Of the inputs that are wanted, and of the value that is there.
    const Key& wanted() const { return wanted_; }
    const Key& value_key() const { return value_key_; }
    /// The running job; null when there is none.
    const JobInfo* job() const { return lanes_.job(interest_.job()); }

    /// Says which result would be fresh without computing it; a job for another Key is dropped.
    void expect(const Key& key);
    /// Stops the job. The same Key is not computed again until allow_again().
    void cancel();
    /// Forgets a failure or a cancellation, so that want() tries again.
    void allow_again();
    /// Forgets value, wish and failure.
    void clear();

Q_SIGNALS:
    /// State or value, never mere progress.
    void changed();

protected:
    explicit LiveBase(Lanes& lanes, QObject* parent) : QObject(parent), lanes_(lanes) {}
    void want_erased(const Key& key, const QString& title, Lane lane, Work work);
    void offer_erased(const Key& key, std::shared_ptr<const void> value);
    std::shared_ptr<const void> value_;

private:
    void take(const Key& key, const Outcome& outcome);

    Lanes& lanes_;
    Interest interest_;
    Key wanted_, value_key_, running_key_, refused_key_;
    QString message_, details_;
    Error::Kind failure_kind_ = Error::Kind::Internal;
};

template <class T>
class Live : public LiveBase {
public:
    using Compute = std::function<std::shared_ptr<const T>(Progress&)>;

    explicit Live(Lanes& lanes, QObject* parent = nullptr) : LiveBase(lanes, parent) {}

    /// The newest value there is, fresh or not; null when there is none.
    std::shared_ptr<const T> value() const { return std::static_pointer_cast<const T>(value_); }
    /// The value, but only while it is the one wanted.
    std::shared_ptr<const T> fresh_value() const { return fresh() ? value() : nullptr; }

    /// Makes `key` the wanted result and computes it unless it is there, under way, or has failed or been cancelled before.
    /// `compute` runs on the lane's thread: it must own what it uses (capture shared_ptr and values, never widgets).
    void want(const Key& key, const QString& title, Lane lane, Compute compute) { want_erased(key, title, lane, std::move(compute)); }
    /// Takes a value that is already at hand, e.g. one kept on disk. Ignored unless `key` is the wanted one.
    void offer(const Key& key, std::shared_ptr<const T> value) { offer_erased(key, std::move(value)); }
};

}  // namespace suture
