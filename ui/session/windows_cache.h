// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenised texts, shared by the jobs that need them.
#pragma once

#include <list>
#include <memory>
#include <mutex>

#include "core/base/key.h"
#include "core/study/study.h"

namespace suture {

/// What a text file is to a Key: its path, size and time of change. Cheap enough for the window's thread.
nlohmann::json text_stamp(const TextSource& source);

/// The last few texts as windows. Safe to use from several threads.
class WindowsCache {
public:
    std::shared_ptr<const Windows> calibration(const Study& study, const TextSource& source, const JobSettings& settings);
    std::shared_ptr<const Windows> evaluation(const Study& study, const TextSource& source, const JobSettings& settings);

private:
    std::shared_ptr<const Windows> get(const Study& study, const TextSource& source, const JobSettings& settings);
    std::mutex mutex_;
    std::list<std::pair<Key, std::shared_ptr<const Windows>>> recent_;  // newest first
};

}  // namespace suture
