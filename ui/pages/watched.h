// SPDX-License-Identifier: GPL-3.0-or-later
// A result that can be looked at while it is being made.
#pragma once

#include <QTimer>

#include "ui/jobs/live.h"
#include "ui/session/feed.h"

namespace suture {

/// Started by a person. While a run has no result, or ended without one, what it has found so far is shown.
template <class Set>
class Watched {
public:
    using Compute = std::function<std::shared_ptr<const Set>(Feed<Set>&, Progress&)>;

    /// `look` is called now and then while a run finds more.
    Watched(Lanes& lanes, std::function<void()> look) : live(lanes) {
        timer_.setInterval(60);
        QObject::connect(&timer_, &QTimer::timeout, &live, [this, look = std::move(look)] {
            if (feed_ && feed_->version() != seen_) {
                seen_ = feed_->version();
                look();
            }
            if (!live.running()) timer_.stop();
        });
    }

    void start(const Key& key, const QString& title, Compute compute) {
        if (live.fresh()) live.clear();  // a person asks for it, even if it was made before
        live.allow_again();
        feed_ = std::make_shared<Feed<Set>>();
        feed_key_ = key;
        seen_ = 0;
        live.want(key, title, Lane::Heavy,
                  [feed = feed_, compute = std::move(compute)](Progress& progress) { return compute(*feed, progress); });
        timer_.start();
    }
    void clear() {
        live.clear();
        feed_ = nullptr;
    }

    /// The newest result, or what there is of it; null: nothing yet.
    std::shared_ptr<const Set> shown() const {
        if (!partial()) return live.value();
        return std::make_shared<const Set>(feed_->value());
    }
    /// shown() is of a run that has not ended, or has ended too early.
    bool partial() const { return feed_ && feed_->version() > 0 && !(live.value() && live.value_key() == feed_key_); }
    /// shown() was made under other conditions than those wanted now.
    bool outdated() const {
        const Key& key = partial() ? feed_key_ : live.value_key();
        return !key.empty() && key != live.wanted();
    }

    Live<Set> live;

private:
    std::shared_ptr<Feed<Set>> feed_;
    Key feed_key_;
    std::int64_t seen_ = 0;
    QTimer timer_;
};

}  // namespace suture
