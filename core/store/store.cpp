// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/store/internal/artefact_file.h"

namespace suture {

namespace fs = std::filesystem;

Store::Store(fs::path folder) : folder_(std::move(folder)) {}

std::shared_ptr<const Artefact> Store::find(const Key& key) const {
    if (key.empty()) return nullptr;
    if (auto known = remembered(key)) return known;
    if (folder_.empty()) return nullptr;
    auto artefact = read_artefact(folder_, key);
    if (!artefact) return nullptr;
    auto shared = std::make_shared<const Artefact>(std::move(*artefact));
    remember(key, shared);
    return shared;
}

std::shared_ptr<const Artefact> Store::put(const Key& key, Artefact artefact) {
    if (key.empty()) throw Error("a result without a key can't be kept", Error::Kind::Internal);
    check_artefact(artefact);
    auto shared = std::make_shared<const Artefact>(std::move(artefact));
    remember(key, shared);
    if (folder_.empty()) return shared;
    std::optional<std::string> failure;
    try {
        write_artefact(folder_, key, *shared);
    } catch (const std::exception& error) {
        failure = "Results can't be kept in " + folder_.string() + " and will be computed again next time (" + error.what() + ")";
    }
    const std::lock_guard lock(mutex_);
    warning_ = std::move(failure);
    return shared;
}

std::optional<std::string> Store::warning() const {
    const std::lock_guard lock(mutex_);
    return warning_;
}

std::shared_ptr<const Artefact> Store::remembered(const Key& key) const {
    const std::lock_guard lock(mutex_);
    const auto it = std::ranges::find(recent_, key, &Entry::first);
    if (it == recent_.end()) return nullptr;
    recent_.splice(recent_.begin(), recent_, it);
    return it->second;
}

void Store::remember(const Key& key, std::shared_ptr<const Artefact> artefact) const {
    const std::lock_guard lock(mutex_);
    std::erase_if(recent_, [&](const Entry& entry) { return entry.first == key; });
    recent_.emplace_front(key, std::move(artefact));
    if (recent_.size() > memory_limit) recent_.pop_back();
}

fs::path default_cache_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && fs::path(cache).is_absolute()) return fs::path(cache) / "suture";  // relative values are to be ignored
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".cache" / "suture" : fs::temp_directory_path() / "suture";
}

}  // namespace suture
