// SPDX-License-Identifier: GPL-3.0-or-later
// How a CheckpointWriter's folder comes into being: checked, written aside, renamed.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/checkpoint/config_file.h"
#include "core/checkpoint/internal/checkpoint_shard.h"
#include "core/checkpoint/internal/output_file.h"

namespace suture {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece = 4 << 20;  // bytes between two looks at Progress

/// The path with links resolved and without a slash at its end.
fs::path resolved(const fs::path& path) {
    const auto result = fs::weakly_canonical(fs::absolute(path));
    return result.has_filename() ? result : result.parent_path();
}

bool lies_in(const fs::path& inner, const fs::path& outer) { return std::ranges::mismatch(outer, inner).in1 == outer.end(); }

/// A new folder beside `target`, removed again, with parents made for it, unless it was moved to its place.
class FolderAside {
public:
    explicit FolderAside(const fs::path& target) {
        for (auto parent = target.parent_path(); !fs::exists(parent); parent = parent.parent_path()) made_.push_back(parent);
        fs::create_directories(target.parent_path());
        std::string name(1, '.');
        name.append(target.filename()).append(".").append(std::to_string(::getpid())).append("-");
        int attempt = 0;
        do path_ = target.parent_path() / (name + std::to_string(attempt++));
        while (!fs::create_directory(path_));
    }
    ~FolderAside() {
        if (path_.empty()) return;
        std::error_code ignored;
        fs::remove_all(path_, ignored);
        for (const auto& parent : made_) fs::remove(parent, ignored);
    }
    FolderAside(const FolderAside&) = delete;
    FolderAside& operator=(const FolderAside&) = delete;
    const fs::path& path() const { return path_; }

    /// Takes the place of `target`; an old folder there disappears only after that.
    void move_to(const fs::path& target) {
        const fs::path old = path_.string() + "-old";
        const bool replacing = fs::exists(target);
        if (replacing) fs::rename(target, old);
        std::error_code failed;
        fs::rename(path_, target, failed);
        if (failed) {
            if (replacing) fs::rename(old, target);
            throw Error(target.string() + ": can't be put in place: " + failed.message());
        }
        path_.clear();
        std::error_code ignored;
        fs::remove_all(old, ignored);
    }

private:
    fs::path path_;
    std::vector<fs::path> made_;  // deepest first
};

/// The file names an earlier export lists as its own; none where the list is damaged.
std::vector<std::string> written_before(const fs::path& recipe) {
    std::vector<std::string> names;
    for (const auto& name : read_json_file(recipe).value("files", nlohmann::ordered_json::array()))
        if (name.is_string()) names.push_back(name.get<std::string>());
    return names;
}

std::string megabytes(std::uint64_t bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f MB", double(bytes) / 1e6);
    return text;
}

}  // namespace

void CheckpointWriter::check_target() const {
    if (target_.empty()) throw usage_error("no folder was given to write the checkpoint to");
    const auto target = resolved(target_);
    for (const auto& folder : options_.sacred) {
        const auto source = resolved(folder);
        if (lies_in(target, source) || lies_in(source, target))
            throw Error(target_.string() + ": is, holds or lies in the source folder " + folder.string() +
                        ", which is never written to; choose another folder");
    }
    if (!fs::exists(target)) return;
    if (!fs::is_directory(target)) throw Error(target_.string() + ": is a file; choose a new folder for the checkpoint");
    if (!options_.overwrite) throw Error(target_.string() + ": exists already; choose a new folder or allow overwriting");
    if (fs::is_empty(target)) return;
    if (!fs::exists(target / "suture.json"))
        throw Error(target_.string() +
                    ": holds files but no suture.json, so Suture didn't write it and won't replace it; choose another folder");
    const auto written = written_before(target / "suture.json");
    for (const auto& entry : fs::directory_iterator(target))
        if (std::find(written.begin(), written.end(), entry.path().filename().string()) == written.end())
            throw Error(target_.string() + ": holds " + entry.path().filename().string() +
                        ", which the earlier export did not write; move it away or choose another folder");
}

void CheckpointWriter::check_space() const {
    auto existing = resolved(target_).parent_path();
    while (!fs::exists(existing)) existing = existing.parent_path();
    const auto needed = total_bytes() + total_bytes() / 20;
    const auto available = fs::space(existing).available;
    if (available < needed)
        throw Error(target_.string() + ": needs " + megabytes(needed) + " but only " + megabytes(available) +
                    " are free there; free space or choose another folder");
}

std::string CheckpointWriter::problem() const {
    try {
        check_names();
        check_target();
        check_space();
    } catch (const Error& error) {
        return error.what();
    } catch (const fs::filesystem_error& error) {
        return target_.string() + ": can't be written: " + error.code().message() + "; choose another folder";
    }
    return {};
}

std::vector<WrittenFile> CheckpointWriter::commit(Progress& progress) {
    check_names();
    try {
        check_target();
        check_space();
        const auto target = resolved(target_);
        FolderAside aside(target);
        write_all(aside.path(), progress);
        aside.move_to(target);
    } catch (const fs::filesystem_error& error) {
        throw Error(target_.string() + ": can't be written: " + error.code().message() + "; choose another folder", Error::Kind::Input,
                    error.what());
    }
    return plan();
}

void CheckpointWriter::write_all(const fs::path& folder, Progress& progress) const {
    progress.begin("Writing the checkpoint", std::int64_t(total_bytes()), "bytes");
    const auto parts = shards();
    for (const auto& shard : parts) write_shard(folder / shard.name, shard, progress);
    if (parts.size() > 1) write_side_file(folder / weights_index_name, {weights_index_name, index_text(parts), {}, 0}, progress);
    for (const auto& side : side_files_) write_side_file(folder / side.name, side, progress);
}

void CheckpointWriter::write_shard(const fs::path& file, const Shard& shard, Progress& progress) const {
    OutputFile out(file);
    out.write(shard.preamble);
    progress.step(std::int64_t(shard.preamble.size()));
    for (const auto* tensor : shard.tensors) {
        std::uint64_t left = tensor->info.bytes;
        const auto wrong_size = [&] {
            return Error(target_.string() + ": tensor \"" + tensor->info.name + "\" did not deliver the " +
                             std::to_string(tensor->info.bytes) + " bytes its shape needs",
                         Error::Kind::Internal);
        };
        tensor->write([&](std::span<const std::byte> bytes) {
            if (bytes.size() > left) throw wrong_size();
            left -= bytes.size();
            while (!bytes.empty()) {
                const auto part = bytes.first(std::min(piece, bytes.size()));
                out.write(part);
                progress.step(std::int64_t(part.size()));
                bytes = bytes.subspan(part.size());
            }
        });
        if (left != 0) throw wrong_size();
    }
    out.close();
}

void CheckpointWriter::write_side_file(const fs::path& file, const SideFile& side, Progress& progress) const {
    OutputFile out(file);
    if (side.source.empty()) {
        out.write(side.content);
        progress.step(std::int64_t(side.content.size()));
        return out.close();
    }
    std::ifstream in(side.source, std::ios::binary);
    std::vector<char> buffer(piece);
    std::uint64_t copied = 0;
    while (in.read(buffer.data(), std::streamsize(piece)) || in.gcount() > 0) {
        out.write(std::string_view(buffer.data(), std::size_t(in.gcount())));
        copied += std::uint64_t(in.gcount());
        progress.step(in.gcount());
    }
    if (copied != side.bytes)
        throw Error(side.source.string() + ": " + std::to_string(copied) + " of " + std::to_string(side.bytes) +
                    " bytes could be copied; check that nobody is changing the file and that it is readable");
    out.close();
}

}  // namespace suture
