// SPDX-License-Identifier: GPL-3.0-or-later
// The tensors of a checkpoint folder by name, wherever they lie in its files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/safetensors.h"

namespace suture {

class TensorFile;

/// Named tensors over a folder, memory-mapped read-only. Where mapping fails, tensors are read on demand instead.
/// All functions may be called from several threads.
class TensorSource {
public:
    /// Opens a Hugging Face folder: model.safetensors.index.json decides, else model.safetensors, else the only *.safetensors
    /// file. Throws Error naming what is wrong: no folder, no weights or several files without an index, weights in another
    /// format (.bin, .pt, .gguf, …), a missing shard, a tensor that is in the index but not in its shard, or one that is in
    /// two shards; and everything read_safetensors_header() refuses. Tensors of a shard that the index forgot are included.
    static std::shared_ptr<const TensorSource> open(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    /// Sorted by name.
    const std::vector<TensorInfo>& tensors() const { return tensors_; }
    bool contains(const std::string& name) const;
    /// Throws Error naming the tensor and the folder when there is none of this name.
    const TensorInfo& info(const std::string& name) const;
    /// The tensor's bytes as stored: row-major, little-endian, perhaps not aligned to its type. They stay valid as long as this
    /// object lives; where mapping failed, until release(name). Throws Error like info(), or when the file can't be read.
    std::span<const std::byte> bytes(const std::string& name) const;
    /// The same bytes with an owner that keeps them valid by itself.
    std::pair<std::shared_ptr<const void>, std::span<const std::byte>> shared_bytes(const std::string& name) const;
    /// Sum over all tensors, without headers.
    std::uint64_t total_bytes() const;
    /// The safetensors files, sorted.
    std::vector<std::filesystem::path> files() const;
    /// Lets the kernel drop the mapped pages of a tensor. The values stay readable and are read again when they are used.
    void release(const std::string& name) const;

    /// Identity of the model: SHA-256 over `config_text` (config.json), the index, and every file's header and size.
    std::string identity(const std::string& config_text) const;
    /// SHA-256 over all tensor bytes in name order, in hexadecimal. Reads the whole checkpoint. Progress counts bytes.
    std::string content_hash(Progress& progress) const;

private:
    TensorSource() = default;
    void add_file(const std::filesystem::path& file);
    void read_index(const std::filesystem::path& index);
    void read_single_file();
    void sort();

    std::filesystem::path folder_;
    std::string index_text_;
    std::vector<TensorInfo> tensors_;
    std::map<std::filesystem::path, std::shared_ptr<const TensorFile>> files_;
};

}  // namespace suture
