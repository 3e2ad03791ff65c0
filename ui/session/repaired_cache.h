// SPDX-License-Identifier: GPL-3.0-or-later
// Fitted repairs, shared by the jobs that measure them.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "core/base/key.h"
#include "core/repair/repair.h"

namespace suture {

/// The last few repairs by what they were made from. Safe to use from several threads.
class RepairedCache {
public:
    /// Null when it is not (any more) there.
    std::shared_ptr<const Repaired> find(const Key& key) const;
    void put(const Key& key, std::shared_ptr<const Repaired> repaired);

private:
    mutable std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const Repaired>>> recent_;  // newest first
};

}  // namespace suture
