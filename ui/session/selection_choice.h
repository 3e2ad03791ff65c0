// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen about how layers are chosen: a part of the document.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/selection/criterion.h"
#include "core/selection/search.h"

namespace suture {

struct SelectionChoice {
    Protection protection;       ///< of layers from every criterion and every search
    SelectionSettings criteria;  ///< of single criteria
    SearchSettings search;
    std::string unit = "layers";  ///< of the search's budget: layers, parameters, bytes or milliseconds
    double amount = 0;            ///< to remove, at least, in that unit; 0: as many layers as the criteria remove
    double layers_ms = 0;         ///< milliseconds: what all layers take together; 0: not known
    bool repair = true;           ///< the document's repair is fitted for every set that a search tries
    std::int64_t windows = 8;     ///< first windows of the calibration text that searches and criteria run the model on; 0: all

    nlohmann::json to_json() const;
    static SelectionChoice from_json(const nlohmann::json& json);
};

}  // namespace suture
