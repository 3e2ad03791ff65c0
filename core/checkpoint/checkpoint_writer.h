// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint folder that is there completely or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/safetensors.h"

namespace suture {

struct WriterOptions {
    std::uint64_t shard_bytes = 5'000'000'000;  ///< tensor bytes per file; a larger tensor gets a file of its own
    bool overwrite = false;                     ///< replace an existing target of which suture.json's "files" lists every entry
    std::vector<std::filesystem::path> sacred;  ///< source folders: never written to
};

struct WrittenFile {
    std::string name;
    std::uint64_t bytes = 0;
};

/// Collects what a folder is to hold and writes it in one go. Tensors go to model.safetensors, or, above shard_bytes, to
/// model-00001-of-0000N.safetensors with model.safetensors.index.json.
class CheckpointWriter {
public:
    using Sink = std::function<void(std::span<const std::byte>)>;

    explicit CheckpointWriter(std::filesystem::path target, WriterOptions options = {});

    /// Declares a tensor. `write` is called once, by commit(), and hands the bytes over in pieces, so that nothing large is kept.
    /// The order of declaration is the order in the files. Throws Error for an unknown dtype or a negative dimension.
    void add_tensor(std::string name, std::string dtype, std::vector<std::int64_t> shape, std::function<void(const Sink&)> write);
    /// The same for bytes that stay valid until commit() has returned. Throws Error too when their number doesn't fit the shape.
    void add_tensor(std::string name, std::string dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes);
    void add_text(std::string name, std::string content);
    /// Copied byte for byte. Throws Error when `source` is no readable file.
    void add_file(std::string name, std::filesystem::path source);

    /// Of all files together.
    std::uint64_t total_bytes() const;
    /// The files and their sizes as commit() will write them: weights first, then the index, then the others.
    std::vector<WrittenFile> plan() const;

    /// Why commit() would refuse before it writes anything, in one sentence; empty: nothing speaks against it now.
    std::string problem() const;

    /// Writes into a temporary folder beside the target and renames it. Throws Error before anything is written when the target
    /// is, holds or lies in a sacred folder (links resolved), exists and may not be replaced, lacks space (what is needed and
    /// 5 %), or when a name is empty, contains a folder or is used twice. Progress counts bytes. After an exception or Cancelled
    /// the temporary folder is gone and an existing target is as it was.
    std::vector<WrittenFile> commit(Progress& progress);

private:
    struct Tensor {
        TensorInfo info;
        std::function<void(const Sink&)> write;
    };
    struct SideFile {
        std::string name;
        std::string content;  // used when `source` is empty
        std::filesystem::path source;
        std::uint64_t bytes = 0;
    };
    struct Shard;

    std::vector<Shard> shards() const;
    std::string index_text(const std::vector<Shard>& shards) const;
    void check_names() const;
    void check_target() const;
    void check_space() const;
    void write_all(const std::filesystem::path& folder, Progress& progress) const;
    void write_shard(const std::filesystem::path& file, const Shard& shard, Progress& progress) const;
    void write_side_file(const std::filesystem::path& file, const SideFile& side, Progress& progress) const;

    std::filesystem::path target_;
    WriterOptions options_;
    std::vector<Tensor> tensors_;
    std::vector<SideFile> side_files_;
};

}  // namespace suture
