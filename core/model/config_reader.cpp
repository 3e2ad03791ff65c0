// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/internal/config_reader.h"

#include "core/base/error.h"

namespace suture {

std::int64_t ConfigReader::integer(const std::string& key) const {
    if (!has(key)) refuse("\"" + key + "\" is missing");
    if (!config_[key].is_number_integer()) refuse("\"" + key + "\" should be a whole number, not " + config_[key].dump());
    return config_[key].get<std::int64_t>();
}

double ConfigReader::number(const std::string& key) const {
    if (!has(key)) refuse("\"" + key + "\" is missing");
    if (!config_[key].is_number()) refuse("\"" + key + "\" should be a number, not " + config_[key].dump());
    return config_[key].get<double>();
}

bool ConfigReader::flag(const std::string& key, bool otherwise) const {
    if (!has(key)) return otherwise;
    if (!config_[key].is_boolean()) refuse("\"" + key + "\" should be true or false, not " + config_[key].dump());
    return config_[key].get<bool>();
}

std::string ConfigReader::text(const std::string& key, const std::string& otherwise) const {
    if (!has(key)) return otherwise;
    if (!config_[key].is_string()) refuse("\"" + key + "\" should be a text, not " + config_[key].dump());
    return config_[key].get<std::string>();
}

std::optional<ConfigReader> ConfigReader::object(const std::string& key) const {
    if (!has(key)) return std::nullopt;
    if (!config_[key].is_object()) refuse("\"" + key + "\" should be an object, not " + config_[key].dump());
    return ConfigReader(config_[key], file_);
}

void ConfigReader::refuse(const std::string& sentence) const { throw Error(file_.string() + ": " + sentence); }

}  // namespace suture
