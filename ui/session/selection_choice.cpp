// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/selection_choice.h"

namespace suture {

nlohmann::json SelectionChoice::to_json() const {
    return {{"protection", protection.to_json()},
            {"criteria", settings_to_json(criteria)},
            {"search", settings_to_json(search)},
            {"unit", unit},
            {"amount", amount},
            {"layers_ms", layers_ms},
            {"repair", repair},
            {"windows", windows}};
}

SelectionChoice SelectionChoice::from_json(const nlohmann::json& json) {
    const auto part = [&](const char* name) { return json.value(name, nlohmann::json::object()); };
    SelectionChoice c;
    const auto protection = part("protection");
    c.protection.layers = LayerSet(protection.value("layers", std::vector<int>()));
    c.protection.ends = protection.value("ends", c.protection.ends);
    c.protection.massive_activation = protection.value("massive_activation", c.protection.massive_activation);
    c.criteria = settings_from_json<SelectionSettings>(part("criteria"));
    c.search = settings_from_json<SearchSettings>(part("search"));
    c.unit = json.value("unit", c.unit);
    c.amount = json.value("amount", c.amount);
    c.layers_ms = json.value("layers_ms", c.layers_ms);
    c.repair = json.value("repair", c.repair);
    c.windows = json.value("windows", c.windows);
    return c;
}

}  // namespace suture
