// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint_writer.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/internal/checkpoint_shard.h"
#include "core/checkpoint/internal/safetensors_layout.h"

namespace suture {

namespace fs = std::filesystem;

CheckpointWriter::CheckpointWriter(fs::path target, WriterOptions options) : target_(std::move(target)), options_(std::move(options)) {}

void CheckpointWriter::add_tensor(std::string name, std::string dtype, std::vector<std::int64_t> shape,
                                  std::function<void(const Sink&)> write) {
    const auto bytes = tensor_bytes(dtype, shape, target_.string() + ": tensor \"" + name + "\"");
    tensors_.push_back(
        {{.name = std::move(name), .dtype = std::move(dtype), .shape = std::move(shape), .file = {}, .offset = 0, .bytes = bytes},
         std::move(write)});
}

void CheckpointWriter::add_tensor(std::string name, std::string dtype, std::vector<std::int64_t> shape, std::span<const std::byte> bytes) {
    const auto needed = tensor_bytes(dtype, shape, target_.string() + ": tensor \"" + name + "\"");
    if (needed != bytes.size())
        throw Error(target_.string() + ": tensor \"" + name + "\" was given " + std::to_string(bytes.size()) + " bytes; its shape needs " +
                        std::to_string(needed),
                    Error::Kind::Internal);
    add_tensor(std::move(name), std::move(dtype), std::move(shape), [bytes](const Sink& sink) { sink(bytes); });
}

void CheckpointWriter::add_text(std::string name, std::string content) {
    const auto bytes = content.size();
    side_files_.push_back({std::move(name), std::move(content), {}, bytes});
}

void CheckpointWriter::add_file(std::string name, fs::path source) {
    std::error_code failed;
    const auto bytes = fs::file_size(source, failed);
    if (failed) throw Error(source.string() + ": can't be copied to " + target_.string() + ": " + failed.message());
    side_files_.push_back({std::move(name), {}, std::move(source), bytes});
}

std::vector<CheckpointWriter::Shard> CheckpointWriter::shards() const {
    std::vector<Shard> result;
    std::uint64_t filled = 0;
    for (const auto& tensor : tensors_) {
        if (result.empty() || filled + tensor.info.bytes > options_.shard_bytes) {
            result.emplace_back();
            filled = 0;
        }
        filled += tensor.info.bytes;
        result.back().tensors.push_back(&tensor);
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
        char name[64] = "model.safetensors";
        if (result.size() > 1) std::snprintf(name, sizeof name, "model-%05zu-of-%05zu.safetensors", i + 1, result.size());
        std::vector<TensorInfo> infos;
        for (const auto* tensor : result[i].tensors) infos.push_back(tensor->info);
        result[i].name = name;
        result[i].preamble = safetensors_preamble(infos, {{"format", "pt"}});
        result[i].bytes = result[i].preamble.size();
        for (const auto& info : infos) result[i].bytes += info.bytes;
    }
    return result;
}

std::string CheckpointWriter::index_text(const std::vector<Shard>& shards) const {
    std::uint64_t total = 0;
    nlohmann::json map = nlohmann::json::object();
    for (const auto& shard : shards)
        for (const auto* tensor : shard.tensors) {
            map[tensor->info.name] = shard.name;
            total += tensor->info.bytes;
        }
    nlohmann::json index;
    index["metadata"]["total_size"] = total;
    index["weight_map"] = std::move(map);
    return index.dump(2) + "\n";
}

std::vector<WrittenFile> CheckpointWriter::plan() const {
    std::vector<WrittenFile> files;
    const auto parts = shards();
    for (const auto& shard : parts) files.push_back({shard.name, shard.bytes});
    if (parts.size() > 1) files.push_back({weights_index_name, index_text(parts).size()});
    for (const auto& side : side_files_) files.push_back({side.name, side.bytes});
    return files;
}

std::uint64_t CheckpointWriter::total_bytes() const {
    std::uint64_t total = 0;
    for (const auto& file : plan()) total += file.bytes;
    return total;
}

void CheckpointWriter::check_names() const {
    std::set<std::string> seen;
    for (const auto& tensor : tensors_) {
        if (tensor.info.name.empty() || tensor.info.name == "__metadata__")
            throw Error(target_.string() + ": a tensor can't be named \"" + tensor.info.name + "\"", Error::Kind::Internal);
        if (!seen.insert(tensor.info.name).second)
            throw Error(target_.string() + ": tensor \"" + tensor.info.name + "\" would be written twice; each name may occur once");
    }
    seen.clear();
    for (const auto& file : plan()) {
        if (file.name.empty() || file.name == "." || file.name == ".." || file.name.find('/') != std::string::npos)
            throw Error(target_.string() + ": \"" + file.name + "\" is no plain file name; expected one without a folder");
        if (!seen.insert(file.name).second)
            throw Error(target_.string() + ": the file " + file.name + " would be written twice; each name may occur once");
    }
}

}  // namespace suture
