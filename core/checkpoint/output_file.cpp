// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/internal/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"

namespace suture {

OutputFile::OutputFile(std::filesystem::path file)
    : file_(std::move(file)), descriptor_(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail();
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(descriptor_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail();
        bytes = bytes.subspan(std::size_t(written));
    }
}

void OutputFile::close() {
    // Some file systems can't synchronise; what counts are errors of delayed writes.
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail();
    if (::close(std::exchange(descriptor_, -1)) != 0) fail();
}

void OutputFile::fail() const {
    throw Error(file_.string() + ": can't be written: " + std::strerror(errno) + "; free space or choose another folder");
}

}  // namespace suture
