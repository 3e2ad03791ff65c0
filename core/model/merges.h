// SPDX-License-Identifier: GPL-3.0-or-later
// Which kept layers took up removed ones.
#pragma once

#include <map>

#include "core/model/variant.h"

namespace suture {

/// By changed layer: the removed layers right behind it, up to the next one kept. Of a merge these are the layers that it took up.
std::map<int, LayerSet> merges_of(const Variant& variant);

/// [{layer, takes_up}]
nlohmann::json merges_json(const Variant& variant);

}  // namespace suture
