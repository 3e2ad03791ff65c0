// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/finetuning.h"

namespace suture {

FineTuning::FineTuning(Lanes& lanes, QObject* parent) : QObject(parent), live(lanes) {
    connect(&live, &LiveBase::changed, this, &FineTuning::keep);
}

void FineTuning::start(const Key& key, Train train) {
    live.allow_again();
    run_ = std::make_shared<Run>();
    run_->key = key;
    live.want(key, tr("Fine-tune"), Lane::Heavy, [run = run_, train = std::move(train)](Progress& progress) {
        const auto watch = [&](const DistilPoint& point) {
            run->points.change([&](Distilled& so_far) {
                so_far.curve.push_back(point);
                if (point.validation < so_far.curve[so_far.best].validation) so_far.best = so_far.curve.size() - 1;
            });
        };
        auto result = train(watch, progress);
        run->kept.change([&](auto& kept) { kept = result; });
        return result;
    });
}

void FineTuning::expect(const Key& key) {
    live.expect(key);
    keep();
}

void FineTuning::keep() {
    // A job that was cancelled hands nothing over, but training has ended with the best weights it saw.
    if (run_ && !live.running())
        if (const auto kept = run_->kept.value()) live.offer(run_->key, kept);
}

bool FineTuning::partial() const { return run_ && version() > 0 && !(live.value() && live.value_key() == run_->key); }

std::shared_ptr<const Distilled> FineTuning::shown() const {
    return partial() ? std::make_shared<const Distilled>(run_->points.value()) : live.value();
}

bool FineTuning::outdated() const {
    const Key& key = partial() ? run_->key : live.value_key();
    return !key.empty() && key != live.wanted();
}

void FineTuning::clear() {
    run_ = nullptr;  // first: what it ended with must not come back
    live.clear();
}

}  // namespace suture
