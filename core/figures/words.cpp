// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figures/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace suture {
namespace {

std::string with_decimals(double number, int decimals) {
    char buffer[400];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, number);
    return buffer;
}

std::string without_trailing_zeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

/// Three digits in units of `unit`; a number that rounds up to the unit is already told in it.
bool reaches(double number, double unit) { return number >= 0.9995 * unit; }

std::string in_unit(double number, double unit, const char* name) { return without_trailing_zeros(significant(number / unit, 3)) + name; }

template <class T>
T value_or(const nlohmann::json& json, const char* name, T otherwise) {
    return json.is_object() ? json.value(name, otherwise) : otherwise;
}

}  // namespace

std::string grouped(std::int64_t number) {
    std::string text = std::to_string(number);
    const std::ptrdiff_t first = number < 0 ? 2 : 1;
    for (auto at = std::ptrdiff_t(text.size()) - 3; at >= first; at -= 3) text.insert(std::size_t(at), ",");
    return text;
}

std::string short_count(double number) {
    if (reaches(number, 1e9)) return in_unit(number, 1e9, " B");
    if (reaches(number, 1e6)) return in_unit(number, 1e6, " M");
    if (reaches(number, 1e4)) return in_unit(number, 1e3, " k");
    return grouped(std::llround(number));
}

std::string size_words(double bytes) {
    if (bytes >= 1e8) return with_decimals(bytes / 1e9, 2) + " GB";
    if (reaches(bytes, 1e6)) return in_unit(bytes, 1e6, " MB");
    if (reaches(bytes, 1e3)) return in_unit(bytes, 1e3, " kB");
    return with_decimals(bytes, 0) + (bytes == 1 ? " byte" : " bytes");
}

std::string significant(double number, int digits) {
    if (std::isnan(number)) return "no value";
    if (number == 0 || !std::isfinite(number)) return with_decimals(number, 0);
    return with_decimals(number, std::clamp(digits - 1 - int(std::floor(std::log10(std::abs(number)))), 0, 30));
}

std::string layer_words(const LayerSet& layers) {
    if (layers.empty()) return "no layers";
    return (layers.size() == 1 ? "layer " : "layers ") + layers.words();
}

std::string removal_words(const LayerSet& removed, int layers) {
    if (removed.empty()) return "removes nothing";
    return "removes " + layer_words(removed) + " (" + std::to_string(removed.size()) + " of " + std::to_string(layers) + ")";
}

std::string point_words(std::int64_t point, int layers) { return point == layers ? "final norm" : "layer " + std::to_string(point); }

std::string conditions_words(const nlohmann::json& conditions) {
    std::vector<std::string> parts;
    if (const auto text = value_or<std::string>(conditions, "text", ""); !text.empty()) parts.push_back(text);
    const auto windows = value_or<std::int64_t>(conditions, "windows", 0), seqlen = value_or<std::int64_t>(conditions, "seqlen", 0);
    if (windows > 0 && seqlen > 0) parts.push_back(grouped(windows) + " × " + grouped(seqlen) + " tokens");
    if (const auto bos = value_or<std::string>(conditions, "bos", ""); !bos.empty())
        parts.push_back(bos == "window" ? "BOS in front of every window" : "no BOS");
    if (const auto skipped = value_or<std::int64_t>(conditions, "skip_first", 0); skipped > 0)
        parts.push_back("first " + grouped(skipped) + " of every window left out");
    if (value_or<std::string>(conditions, "mask", "none") == "special") parts.push_back("special tokens left out");
    std::string result;
    for (const auto& part : parts) result += (result.empty() ? "" : ", ") + part;
    return result;
}

std::string calibration_words(const Statistics* statistics) {
    if (!statistics) return "not calibrated";
    const auto text = value_or<std::string>(statistics->conditions, "text", "");
    const auto seqlen = value_or<std::int64_t>(statistics->conditions, "seqlen", 0);
    std::string size = grouped(statistics->tokens()) + " tokens";
    if (seqlen > 0) size = grouped(statistics->windows()) + " × " + grouped(seqlen) + " tokens";
    return "calibrated: " + (text.empty() ? "" : text + ", ") + size;
}

}  // namespace suture
