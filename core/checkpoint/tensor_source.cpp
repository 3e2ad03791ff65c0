// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_source.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/key.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/internal/strict_json.h"
#include "core/checkpoint/internal/tensor_file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

constexpr const char* index_name = "model.safetensors.index.json";

/// Regular files of a folder with one of these endings, sorted.
std::vector<fs::path> files_ending(const fs::path& folder, std::initializer_list<const char*> endings) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_regular_file() && std::ranges::find(endings, entry.path().extension().string()) != endings.end())
            found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

/// The error for a folder without safetensors files, saying what it holds instead.
Error no_weights(const fs::path& folder) {
    const auto pickles = files_ending(folder, {".bin", ".pt", ".pth", ".ckpt"});
    if (!pickles.empty())
        return Error(folder.string() + ": holds only " + pickles.front().filename().string() +
                     ", a pickle file that may run code when it is loaded; save the model as safetensors and open that folder");
    const auto ggufs = files_ending(folder, {".gguf"});
    if (!ggufs.empty())
        return Error(folder.string() + ": holds only " + ggufs.front().filename().string() +
                     ", whose weights are converted for one runtime; open the safetensors folder it was made from");
    const auto others = files_ending(folder, {".h5", ".msgpack", ".onnx", ".npz"});
    if (!others.empty())
        return Error(folder.string() + ": holds only " + others.front().filename().string() +
                     "; expected safetensors files, save the model in that format");
    return Error(folder.string() + ": holds no *.safetensors file; choose the folder of a model with its weights");
}

/// The shard each tensor of the index is said to lie in.
std::map<std::string, std::string> read_weight_map(const fs::path& index, const std::string& text) {
    const auto json = parse_strict_json(text, index.string() + ":", 8);
    const auto map = json.find("weight_map");
    if (map == json.end() || !map->is_object() || map->empty())
        throw Error(index.string() + ": has no \"weight_map\" that says which file holds which tensor; fetch the index again");
    std::map<std::string, std::string> shards;
    for (const auto& [name, shard] : map->items()) {
        if (!shard.is_string() || shard.get<std::string>().empty() || fs::path(shard.get<std::string>()).has_parent_path())
            throw Error(index.string() + ": puts tensor \"" + name + "\" into " + shard.dump() +
                        "; expected the name of a file in the same folder");
        shards[name] = shard;
    }
    return shards;
}

}  // namespace

std::shared_ptr<const TensorSource> TensorSource::open(const fs::path& folder) {
    if (!fs::exists(folder)) throw Error(folder.string() + ": there is no such folder; choose the folder of a model");
    if (!fs::is_directory(folder)) throw Error(folder.string() + ": is a file; choose the folder that holds it and its config.json");
    std::shared_ptr<TensorSource> source(new TensorSource);
    source->folder_ = folder;
    if (fs::exists(folder / index_name)) source->read_index(folder / index_name);
    else source->read_single_file();
    return source;
}

void TensorSource::read_index(const fs::path& index) {
    index_text_ = read_text_file(index);
    const auto shard_of = read_weight_map(index, index_text_);
    std::map<std::string, std::string> first_tensor;  // of each shard
    for (const auto& [name, shard] : shard_of) first_tensor.emplace(shard, name);
    for (const auto& [shard, name] : first_tensor) {
        if (!fs::exists(folder_ / shard))
            throw Error(folder_.string() + ": the file " + shard + " is missing, which holds \"" + name + "\" according to " + index_name +
                        "; fetch it again");
        add_file(folder_ / shard);
    }
    sort();
    for (const auto& [name, shard] : shard_of)
        if (!contains(name) || info(name).file.filename() != shard)
            throw Error(folder_.string() + ": tensor \"" + name + "\" is not in " + shard + ", where " + index_name + " puts it" +
                        (contains(name) ? ", but in " + info(name).file.filename().string() : std::string()) +
                        "; fetch index and shards again");
}

void TensorSource::read_single_file() {
    auto file = folder_ / "model.safetensors";
    if (!fs::exists(file)) {
        const auto candidates = files_ending(folder_, {".safetensors"});
        if (candidates.empty()) throw no_weights(folder_);
        if (candidates.size() > 1)
            throw Error(folder_.string() + ": holds " + std::to_string(candidates.size()) + " safetensors files (" +
                        candidates[0].filename().string() + ", " + candidates[1].filename().string() + ", …) but no " + index_name +
                        " that says how they belong together; fetch the index");
        file = candidates.front();
    }
    add_file(file);
    sort();
}

void TensorSource::add_file(const fs::path& file) {
    auto header = read_safetensors_header(file);
    std::ranges::move(header.tensors, std::back_inserter(tensors_));
    files_[file] = std::make_shared<TensorFile>(file, std::move(header.header_text), header.file_bytes);
}

void TensorSource::sort() {
    std::ranges::sort(tensors_, {}, &TensorInfo::name);
    const auto twice = std::ranges::adjacent_find(tensors_, {}, &TensorInfo::name);
    if (twice != tensors_.end())
        throw Error(folder_.string() + ": tensor \"" + twice->name + "\" is in two files, " + twice->file.filename().string() + " and " +
                    (twice + 1)->file.filename().string() + "; only one of them can be meant, save the model again");
}

bool TensorSource::contains(const std::string& name) const {
    const auto it = std::ranges::lower_bound(tensors_, name, {}, &TensorInfo::name);
    return it != tensors_.end() && it->name == name;
}

const TensorInfo& TensorSource::info(const std::string& name) const {
    const auto it = std::ranges::lower_bound(tensors_, name, {}, &TensorInfo::name);
    if (it == tensors_.end() || it->name != name)
        throw Error(folder_.string() + ": there is no tensor \"" + name + "\" among the " + std::to_string(tensors_.size()) +
                    " of this checkpoint; check that config.json belongs to these weights");
    return *it;
}

std::span<const std::byte> TensorSource::bytes(const std::string& name) const { return shared_bytes(name).second; }

std::pair<std::shared_ptr<const void>, std::span<const std::byte>> TensorSource::shared_bytes(const std::string& name) const {
    const auto& tensor = info(name);
    return files_.at(tensor.file)->range(tensor.offset, tensor.bytes);
}

std::uint64_t TensorSource::total_bytes() const {
    std::uint64_t total = 0;
    for (const auto& tensor : tensors_) total += tensor.bytes;
    return total;
}

std::vector<fs::path> TensorSource::files() const {
    std::vector<fs::path> result;
    for (const auto& [file, open] : files_) result.push_back(file);
    return result;
}

void TensorSource::release(const std::string& name) const {
    const auto& tensor = info(name);
    files_.at(tensor.file)->release(tensor.offset, tensor.bytes);
}

std::string TensorSource::identity(const std::string& config_text) const {
    Sha256 hash;
    // The length in front keeps two different divisions of the same text apart.
    const auto add = [&](const std::string& text) { hash.update(std::to_string(text.size()) + "\n" + text); };
    add(config_text);
    add(index_text_);
    for (const auto& [path, file] : files_) {
        add(file->header_text());
        add(std::to_string(file->size()));
    }
    return hash.hex();
}

std::string TensorSource::content_hash(Progress& progress) const {
    constexpr std::size_t piece = 16 << 20;
    progress.begin("Hashing the weights", std::int64_t(total_bytes()), "bytes");
    Sha256 hash;
    for (const auto& tensor : tensors_) {
        auto rest = bytes(tensor.name);
        while (!rest.empty()) {
            const auto part = rest.first(std::min(piece, rest.size()));
            hash.update(part);
            progress.step(std::int64_t(part.size()));
            rest = rest.subspan(part.size());
        }
        release(tensor.name);
    }
    return hash.hex();
}

}  // namespace suture
