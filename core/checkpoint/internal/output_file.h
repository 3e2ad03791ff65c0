// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

namespace suture {

/// A new file whose every write is checked. Throws Error naming the file and the system's reason, such as a full disk.
/// Data are on the disk once close() has returned; without close() the file may be incomplete.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path file);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
    void close();

private:
    [[noreturn]] void fail() const;

    std::filesystem::path file_;
    int descriptor_ = -1;
};

}  // namespace suture
