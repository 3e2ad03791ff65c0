// SPDX-License-Identifier: GPL-3.0-or-later
// A repair being trained: its curve can be looked at meanwhile, and stopping it keeps the best weights so far.
#pragma once

#include "core/distillation/distil.h"
#include "ui/jobs/live.h"
#include "ui/session/feed.h"

namespace suture {

class FineTuning : public QObject {
    Q_OBJECT
public:
    using Watch = std::function<void(const DistilPoint&)>;
    /// Runs on the lane's thread.
    using Train = std::function<std::shared_ptr<const Distilled>(const Watch& watch, Progress& progress)>;

    explicit FineTuning(Lanes& lanes, QObject* parent = nullptr);

    Live<Distilled> live;

    void start(const Key& key, Train train);
    /// Live::expect(); takes over what an abandoned run of this key ended with.
    void expect(const Key& key);
    /// The result, or the curve of a run that goes on; null: there was none.
    std::shared_ptr<const Distilled> shown() const;
    /// shown() is of another repair than the one chosen now.
    bool outdated() const;
    /// Grows with every point of the curve.
    std::int64_t version() const { return run_ ? run_->points.version() : 0; }
    void clear();

private:
    struct Run {
        Key key;
        Feed<Distilled> points;
        Feed<std::shared_ptr<const Distilled>> kept;  // what it ended with, stopped or not
    };
    void keep();
    bool partial() const;

    std::shared_ptr<Run> run_;
};

}  // namespace suture
