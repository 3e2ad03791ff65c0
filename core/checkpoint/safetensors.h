// SPDX-License-Identifier: GPL-3.0-or-later
// One safetensors file: eight bytes of length, a JSON header that names every tensor, then the tensors' bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace suture {

/// Where one tensor lies and what it is. A scalar has an empty shape.
struct TensorInfo {
    std::string name;
    std::string dtype;  ///< as spelled in the header: F32, BF16, …
    std::vector<std::int64_t> shape;
    std::filesystem::path file;
    std::uint64_t offset = 0;  ///< of its first byte, from the start of the file
    std::uint64_t bytes = 0;
    /// Product of the shape; 1 for a scalar.
    std::int64_t elements() const;
};

struct SafetensorsHeader {
    std::vector<TensorInfo> tensors;              ///< in the order of their bytes
    std::map<std::string, std::string> metadata;  ///< the header's __metadata__
    std::uint64_t header_bytes = 0;               ///< length of the JSON text, without the eight bytes in front of it
    std::uint64_t file_bytes = 0;
    std::string header_text;  ///< the JSON text as it stands in the file
};

/// Reads and validates the header of `file`; no tensor byte is touched. Throws Error naming the file and the tensor when the
/// length is above 100,000,000 or beyond the end, the text is not UTF-8 or not a JSON object of bounded depth, a name or member
/// occurs twice, a dtype is unknown, a dimension is no whole number ≥ 0, a size overflows or disagrees with its byte range, or
/// the ranges don't cover the rest of the file exactly, without holes or overlaps.
SafetensorsHeader read_safetensors_header(const std::filesystem::path& file);

}  // namespace suture
