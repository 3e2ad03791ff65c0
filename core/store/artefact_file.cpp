// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/internal/artefact_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/internal/output_file.h"
#include "core/checkpoint/internal/safetensors_layout.h"
#include "core/checkpoint/internal/strict_json.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

template <class T>
constexpr const char* dtype = std::is_same_v<T, double>  ? "F64"
                              : std::is_same_v<T, float> ? "F32"
                                                         : "I64";

/// Calls `visit(name, array)` for the arrays of an artefact in the order of the file.
template <class Visit>
void for_each_array(const Artefact& artefact, const Visit& visit) {
    for (const auto& [name, array] : artefact.doubles) visit(name, array);
    for (const auto& [name, array] : artefact.floats) visit(name, array);
    for (const auto& [name, array] : artefact.integers) visit(name, array);
}

template <class T>
std::span<const std::byte> bytes_of(const Array<T>& array) {
    return std::as_bytes(std::span(array.data));
}

/// What damage to either file, or a file of another version, would change.
std::string digest_of(const Artefact& artefact, std::string_view header_text) {
    Sha256 hash;
    hash.update(header_text);
    for_each_array(artefact, [&](const std::string&, const auto& array) { hash.update(bytes_of(array)); });
    hash.update(artefact.meta.dump());
    return hash.hex();
}

std::string preamble_of(const Artefact& artefact) {
    std::vector<TensorInfo> infos;
    for_each_array(artefact, [&]<class T>(const std::string& name, const Array<T>& array) {
        infos.push_back({.name = name, .dtype = dtype<T>, .shape = array.shape, .file = {}, .offset = 0, .bytes = bytes_of(array).size()});
    });
    return safetensors_preamble(infos, {});
}

template <class T>
void read_array(std::ifstream& in, const TensorInfo& info, std::map<std::string, Array<T>>& into) {
    Array<T> array(info.shape);
    in.seekg(std::streamoff(info.offset));
    if (!in.read(reinterpret_cast<char*>(array.data.data()), std::streamsize(info.bytes)))
        throw Error(info.file.string() + ": can't be read");
    into.emplace(info.name, std::move(array));
}

/// Held while files are renamed, so that the two of one process stay together. Where locks aren't supported, the digest has to do.
class FolderLock {
public:
    explicit FolderLock(const fs::path& folder) : descriptor_(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~FolderLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

/// A file written under a name of its own, removed again unless it was renamed.
class FileAside {
public:
    explicit FileAside(fs::path file) : file_(std::move(file)) {
        static std::atomic<int> counter = 0;
        aside_ = file_.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(counter++);
    }
    ~FileAside() {
        std::error_code ignored;
        fs::remove(aside_, ignored);
    }
    FileAside(const FileAside&) = delete;
    FileAside& operator=(const FileAside&) = delete;
    const fs::path& path() const { return aside_; }
    void put_in_place() const { fs::rename(aside_, file_); }

private:
    fs::path file_, aside_;
};

}  // namespace

void check_artefact(const Artefact& artefact) {
    std::set<std::string> names;
    for_each_array(artefact, [&]<class T>(const std::string& name, const Array<T>& array) {
        if (!names.insert(name).second)
            throw Error("a result has two arrays named \"" + name + "\"; names must differ", Error::Kind::Internal);
        if (tensor_bytes(dtype<T>, array.shape, "array \"" + name + "\"") != bytes_of(array).size())
            throw Error("array \"" + name + "\" of a result has " + std::to_string(array.data.size()) +
                            " values, which its shape doesn't say; "
                            "leave arrays without values out",
                        Error::Kind::Internal);
    });
}

std::optional<Artefact> read_artefact(const fs::path& folder, const Key& key) try {
    const auto arrays = folder / (key.hex() + ".safetensors"), rest = folder / (key.hex() + ".json");
    if (!fs::exists(arrays) || !fs::exists(rest)) return {};
    auto json = nlohmann::json::parse(read_text_file(rest));
    const auto header = read_safetensors_header(arrays);
    Artefact artefact{.meta = std::move(json.at("meta")), .doubles = {}, .floats = {}, .integers = {}};
    std::ifstream in(arrays, std::ios::binary);
    for (const auto& info : header.tensors) {
        if (info.dtype == dtype<double>) read_array(in, info, artefact.doubles);
        if (info.dtype == dtype<float>) read_array(in, info, artefact.floats);
        if (info.dtype == dtype<std::int64_t>) read_array(in, info, artefact.integers);
    }
    if (json.at("sha256") != digest_of(artefact, header.header_text)) return {};
    return artefact;
} catch (const std::exception&) {
    return {};  // whatever is wrong with them, the result is computed again
}

void write_artefact(const fs::path& folder, const Key& key, const Artefact& artefact) {
    fs::create_directories(folder);
    const auto preamble = preamble_of(artefact);
    const FileAside arrays(folder / (key.hex() + ".safetensors")), rest(folder / (key.hex() + ".json"));
    OutputFile out(arrays.path());
    out.write(preamble);
    for_each_array(artefact, [&](const std::string&, const auto& array) { out.write(bytes_of(array)); });
    out.close();
    OutputFile text(rest.path());
    const nlohmann::json json = {{"meta", artefact.meta}, {"sha256", digest_of(artefact, std::string_view(preamble).substr(8))}};
    text.write(json.dump(1) + "\n");
    text.close();
    const FolderLock lock(folder);
    arrays.put_in_place();
    rest.put_in_place();
}

}  // namespace suture
