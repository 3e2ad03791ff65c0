// SPDX-License-Identifier: GPL-3.0-or-later
// config.json with questions that know how to complain.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace suture {

/// Null counts as absent everywhere, as transformers writes it.
class ConfigReader {
public:
    ConfigReader(nlohmann::ordered_json config, std::filesystem::path file) : config_(std::move(config)), file_(std::move(file)) {}

    const nlohmann::ordered_json& json() const { return config_; }
    const std::filesystem::path& file() const { return file_; }
    bool has(const std::string& key) const { return config_.contains(key) && !config_[key].is_null(); }

    /// Throws Error naming the file and the key when it is absent or of another type.
    std::int64_t integer(const std::string& key) const;
    std::int64_t integer(const std::string& key, std::int64_t otherwise) const { return has(key) ? integer(key) : otherwise; }
    double number(const std::string& key) const;
    double number(const std::string& key, double otherwise) const { return has(key) ? number(key) : otherwise; }
    bool flag(const std::string& key, bool otherwise) const;
    std::string text(const std::string& key, const std::string& otherwise) const;
    /// The object behind `key`, as a reader whose complaints name the same file; nothing when absent.
    std::optional<ConfigReader> object(const std::string& key) const;
    [[noreturn]] void refuse(const std::string& sentence) const;

private:
    nlohmann::ordered_json config_;
    std::filesystem::path file_;
};

}  // namespace suture
