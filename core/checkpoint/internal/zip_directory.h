// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace suture {

/// The entries of a zip archive by name, as views into `file`. Only stored (uncompressed) entries are understood, which is what
/// torch.save writes; ZIP64 records are read. Throws Error beginning with `where` for anything else and for ranges outside the file.
std::map<std::string, std::span<const std::byte>> read_zip_directory(std::span<const std::byte> file, const std::string& where);

}  // namespace suture
