// SPDX-License-Identifier: GPL-3.0-or-later
// Results kept by their Key: in memory, then on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/base/array.h"
#include "core/base/key.h"

namespace suture {

/// A result as data: named arrays and whatever small there is to say about them.
struct Artefact {
    nlohmann::json meta;
    std::map<std::string, Array<double>> doubles;
    std::map<std::string, Array<float>> floats;
    std::map<std::string, Array<std::int64_t>> integers;
    bool operator==(const Artefact&) const = default;
};

/// Artefacts by Key. On disk each is <key>.safetensors (arrays as F64, F32, I64) and <key>.json (meta). Several threads and
/// several processes may use the same folder.
class Store {
public:
    /// An empty path keeps results in memory only. The folder is made when the first result is put.
    explicit Store(std::filesystem::path folder);

    /// The artefact of this key from memory, else from disk, else null. Damaged or truncated files count as absent.
    std::shared_ptr<const Artefact> find(const Key& key) const;
    /// Keeps the artefact and writes it to disk. What can't be written (a full disk, a folder without permission) is no error:
    /// the artefact stays in memory and warning() tells. Array names must differ across the three maps, else Error.
    std::shared_ptr<const Artefact> put(const Key& key, Artefact artefact);
    /// Why the last result could not be kept on disk, as a sentence; nothing while all is well.
    std::optional<std::string> warning() const;
    /// Empty when results are kept in memory only.
    const std::filesystem::path& folder() const { return folder_; }

    /// Artefacts kept in memory; the least recently used one leaves first. All others are found on disk only.
    static constexpr std::size_t memory_limit = 8;

private:
    using Entry = std::pair<Key, std::shared_ptr<const Artefact>>;
    std::shared_ptr<const Artefact> remembered(const Key& key) const;
    void remember(const Key& key, std::shared_ptr<const Artefact> artefact) const;

    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    mutable std::list<Entry> recent_;  // most recent first
    std::optional<std::string> warning_;
};

/// $XDG_CACHE_HOME/suture, else ~/.cache/suture.
std::filesystem::path default_cache_folder();

}  // namespace suture
