// SPDX-License-Identifier: GPL-3.0-or-later
// config.json and its like.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace suture {

/// The whole file as text. Throws Error when it is absent or can't be read.
std::string read_text_file(const std::filesystem::path& file);

/// A JSON object with its member order kept, so that a file can be written back as it was. Throws Error when the file is absent,
/// is not JSON (naming line and column) or holds no object. Meant for small files: members are searched one by one.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);

}  // namespace suture
