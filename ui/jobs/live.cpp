// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/live.h"

namespace suture {

LiveBase::State LiveBase::state() const {
    if (running()) return State::Running;
    if (!message_.isEmpty() && refused_key_ == wanted_) return State::Failed;
    if (!value_) return State::Empty;
    return value_key_ == wanted_ ? State::Fresh : State::Stale;
}

void LiveBase::expect(const Key& key) {
    if (key == wanted_) return;
    const State before = state();
    wanted_ = key;
    if (running_key_ != key) interest_.drop();
    if (state() != before) Q_EMIT changed();
}

void LiveBase::want_erased(const Key& key, const QString& title, Lane lane, Work work) {
    expect(key);
    if (running() || (value_ && value_key_ == key) || refused_key_ == key) return;
    message_.clear();
    running_key_ = key;
    interest_ = lanes_.submit(key, title, lane, std::move(work), [this, key](const Outcome& outcome) { take(key, outcome); });
    Q_EMIT changed();
}

void LiveBase::take(const Key& key, const Outcome& outcome) {
    interest_ = {};
    const bool refused = outcome.state != JobInfo::State::Finished || !outcome.result;  // a null result would be null again
    refused_key_ = refused ? key : Key();
    message_ = outcome.message;
    details_ = outcome.details;
    failure_kind_ = outcome.kind;
    if (!refused && key == wanted_) {
        value_ = outcome.result;
        value_key_ = key;
    }
    Q_EMIT changed();
}

void LiveBase::offer_erased(const Key& key, std::shared_ptr<const void> value) {
    if (key != wanted_ || !value || (value_ && value_key_ == key)) return;
    interest_.drop();
    refused_key_ = {};
    message_.clear();
    value_ = std::move(value);
    value_key_ = key;
    Q_EMIT changed();
}

void LiveBase::cancel() { lanes_.cancel(interest_.job()); }

void LiveBase::allow_again() {
    refused_key_ = {};
    message_.clear();
}

void LiveBase::clear() {
    const State before = state();
    interest_.drop();
    value_ = nullptr;
    wanted_ = value_key_ = running_key_ = refused_key_ = {};
    message_.clear();
    details_.clear();
    if (before != State::Empty) Q_EMIT changed();
}

}  // namespace suture
