// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/windows_cache.h"

namespace suture {
namespace {

constexpr std::size_t remembered = 4;

nlohmann::json stamp(const std::filesystem::path& file) {
    std::error_code unknown;
    const auto size = std::filesystem::file_size(file, unknown);
    const auto time = std::filesystem::last_write_time(file, unknown);
    return {{"file", file.string()}, {"size", size}, {"changed", time.time_since_epoch().count()}};
}

}  // namespace

nlohmann::json text_stamp(const TextSource& source) {
    if (source.empty()) return nullptr;
    return stamp(source.ids.empty() ? source.text : source.ids);
}

std::shared_ptr<const Windows> WindowsCache::calibration(const Study& study, const TextSource& source, const JobSettings& settings) {
    return get(study, source, settings);
}

std::shared_ptr<const Windows> WindowsCache::evaluation(const Study& study, const TextSource& source, const JobSettings& settings) {
    JobSettings own = settings;
    own.windows.windows = settings.evaluation_windows;
    return get(study, source, own);
}

std::shared_ptr<const Windows> WindowsCache::get(const Study& study, const TextSource& source, const JobSettings& settings) {
    const Key key =
        Key::of({{"model", study.model()->fingerprint()}, {"text", text_stamp(source)}, {"windows", settings_to_json(settings.windows)}});
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [known, windows] : recent_)
            if (known == key) return windows;
    }
    auto windows = std::make_shared<const Windows>(study.calibration_windows(source, settings));
    const std::lock_guard lock(mutex_);
    recent_.emplace_front(key, windows);
    if (recent_.size() > remembered) recent_.pop_back();
    return windows;
}

}  // namespace suture
