// SPDX-License-Identifier: GPL-3.0-or-later
// An artefact as two files of a folder: <key>.safetensors with the arrays, <key>.json with the rest and a digest of both.
#pragma once

#include <filesystem>
#include <optional>

#include "core/store/store.h"

namespace suture {

/// Throws Error naming an array that has another number of values than its shape says, or that occurs in two maps.
void check_artefact(const Artefact& artefact);

/// Nothing when a file is absent, damaged, truncated or belongs to another version of its partner.
std::optional<Artefact> read_artefact(const std::filesystem::path& folder, const Key& key);

/// Writes both files aside and renames them while holding the folder's lock. Throws when that fails, leaving nothing behind.
void write_artefact(const std::filesystem::path& folder, const Key& key, const Artefact& artefact);

}  // namespace suture
