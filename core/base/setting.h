// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that describe themselves once: the same description makes JSON, a terminal option, a form row and part of a Key.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

namespace suture {

/// One field of the settings struct S. S offers `static const std::vector<Setting<S>>& fields()`; defaults are S{}'s values.
template <class S>
struct Setting {
    std::string name;   ///< terminal option without dashes, and JSON member with '-' as '_'
    std::string label;  ///< for a form row
    std::string help;   ///< one sentence with the unit
    std::variant<std::int64_t S::*, double S::*, bool S::*, std::string S::*> member;
    std::vector<std::string> choices = {};  ///< allowed texts; empty: any

    std::string json_name() const {
        std::string result = name;
        for (char& c : result)
            if (c == '-') c = '_';
        return result;
    }
};

/// {"seqlen": 512, …}: every field, in the order described.
template <class S>
nlohmann::json settings_to_json(const S& settings) {
    nlohmann::json result = nlohmann::json::object();
    for (const auto& field : S::fields()) std::visit([&](auto member) { result[field.json_name()] = settings.*member; }, field.member);
    return result;
}

/// Missing members keep their defaults; members that are no field are ignored.
template <class S>
S settings_from_json(const nlohmann::json& json) {
    S settings;
    for (const auto& field : S::fields())
        if (const auto it = json.find(field.json_name()); it != json.end())
            std::visit([&](auto member) { it->get_to(settings.*member); }, field.member);
    return settings;
}

}  // namespace suture
