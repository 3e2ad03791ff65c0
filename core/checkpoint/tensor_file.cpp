// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/tensor_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace suture {

TensorFile::TensorFile(const std::filesystem::path& file, std::string header_text, std::uint64_t size)
    : file_(file), header_text_(std::move(header_text)), size_(size), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw Error(file.string() + ": can't be opened: " + std::strerror(errno));
    void* base = mapping_refused ? MAP_FAILED : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor_, 0);
    if (base != MAP_FAILED) base_ = static_cast<std::byte*>(base);
}

TensorFile::~TensorFile() {
    if (base_) ::munmap(base_, size_);
    ::close(descriptor_);
}

TensorFile::Owned TensorFile::range(std::uint64_t offset, std::uint64_t bytes) const {
    if (base_) return {shared_from_this(), {base_ + offset, bytes}};
    const std::lock_guard lock(mutex_);
    auto& kept = loaded_[offset];
    // Tensors without elements share their offset with the next one.
    if (!kept || kept->size() < bytes) kept = read(offset, bytes);
    return {kept, std::span(*kept).first(bytes)};
}

std::shared_ptr<const std::vector<std::byte>> TensorFile::read(std::uint64_t offset, std::uint64_t bytes) const {
    auto buffer = std::make_shared<std::vector<std::byte>>(bytes);
    for (std::uint64_t done = 0; done < bytes;) {
        const auto got = ::pread(descriptor_, buffer->data() + done, bytes - done, off_t(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw Error(file_.string() + ": can't be read at byte " + std::to_string(offset + done) + ": " +
                        (got < 0 ? std::strerror(errno) : "the file has become shorter"));
        done += std::uint64_t(got);
    }
    return buffer;
}

void TensorFile::release(std::uint64_t offset, std::uint64_t bytes) const {
    if (bytes == 0) return;
    if (!base_) {
        const std::lock_guard lock(mutex_);
        loaded_.erase(offset);
        return;
    }
    // Pages shared with a neighbour may go too: they come back from the file when they are used.
    const auto page = std::uint64_t(::sysconf(_SC_PAGESIZE));
    const auto from = offset / page * page;
    ::madvise(base_ + from, offset + bytes - from, MADV_DONTNEED);
}

}  // namespace suture
