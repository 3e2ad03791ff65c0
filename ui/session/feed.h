// SPDX-License-Identifier: GPL-3.0-or-later
// What a running job has found so far.
#pragma once

#include <cstdint>
#include <mutex>

namespace suture {

/// The job changes the value on its thread; the window looks at it now and then on its own.
template <class T>
class Feed {
public:
    template <class Function>
    void change(Function function) {
        const std::lock_guard lock(mutex_);
        function(value_);
        ++version_;
    }
    T value() const {
        const std::lock_guard lock(mutex_);
        return value_;
    }
    /// Grows with every change.
    std::int64_t version() const {
        const std::lock_guard lock(mutex_);
        return version_;
    }

private:
    mutable std::mutex mutex_;
    T value_{};
    std::int64_t version_ = 0;
};

}  // namespace suture
