// SPDX-License-Identifier: GPL-3.0-or-later
// A result is a function of its inputs; its Key is the hash of their canonical JSON.
#pragma once

#include <compare>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

namespace suture {

/// Incremental SHA-256.
class Sha256 {
public:
    Sha256();
    ~Sha256();
    Sha256(const Sha256&) = delete;
    Sha256& operator=(const Sha256&) = delete;
    void update(std::span<const std::byte> bytes);
    void update(std::string_view text);
    /// 64 lower-case hexadecimal digits. The object is spent afterwards.
    std::string hex();

private:
    void* context_;
};

/// SHA-256 of a string, in hexadecimal.
std::string sha256_hex(std::string_view text);
/// SHA-256 of a file's bytes, in hexadecimal. Throws Error when it can't be read.
std::string sha256_file(const std::filesystem::path& file);

/// Names a result by what it was made from. A result is valid exactly when its Key equals the Key of the inputs now.
class Key {
public:
    Key() = default;
    /// The hash of `inputs` written with sorted members and no white space.
    static Key of(const nlohmann::json& inputs);
    /// 64 hexadecimal digits; empty for a default-constructed Key, which equals no other Key's text.
    const std::string& hex() const { return hex_; }
    bool empty() const { return hex_.empty(); }
    auto operator<=>(const Key&) const = default;

private:
    std::string hex_;
};

}  // namespace suture
