// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/repaired_cache.h"

namespace suture {
namespace {

constexpr std::size_t remembered = 16;  // more than there are kinds of repair

}  // namespace

std::shared_ptr<const Repaired> RepairedCache::find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, repaired] : recent_)
        if (known == key) return repaired;
    return nullptr;
}

void RepairedCache::put(const Key& key, std::shared_ptr<const Repaired> repaired) {
    const std::lock_guard lock(mutex_);
    recent_.emplace_front(key, std::move(repaired));
    if (recent_.size() > remembered) recent_.pop_back();
}

}  // namespace suture
