// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of bytes of one file: mapped, or read on demand where mapping is not possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace suture {

class TensorFile : public std::enable_shared_from_this<TensorFile> {
public:
    using Owned = std::pair<std::shared_ptr<const void>, std::span<const std::byte>>;

    /// `header_text` and `size` are kept for the identity of the model. Throws Error when the file can't be opened.
    TensorFile(const std::filesystem::path& file, std::string header_text, std::uint64_t size);
    ~TensorFile();
    TensorFile(const TensorFile&) = delete;
    TensorFile& operator=(const TensorFile&) = delete;

    /// The bytes and what keeps them alive. Throws Error when they can't be read.
    Owned range(std::uint64_t offset, std::uint64_t bytes) const;
    void release(std::uint64_t offset, std::uint64_t bytes) const;

    bool mapped() const { return base_ != nullptr; }
    const std::string& header_text() const { return header_text_; }
    std::uint64_t size() const { return size_; }

    /// For tests: files opened while this is true behave as on a mount that can't be mapped.
    static inline bool mapping_refused = false;

private:
    std::shared_ptr<const std::vector<std::byte>> read(std::uint64_t offset, std::uint64_t bytes) const;

    std::filesystem::path file_;
    std::string header_text_;
    std::uint64_t size_ = 0;
    int descriptor_ = -1;
    std::byte* base_ = nullptr;
    mutable std::mutex mutex_;
    mutable std::map<std::uint64_t, std::shared_ptr<const std::vector<std::byte>>> loaded_;  // by offset, only where not mapped
};

}  // namespace suture
