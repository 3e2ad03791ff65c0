// SPDX-License-Identifier: GPL-3.0-or-later
// What a variant is called in plots and tables.
#pragma once

#include <string>

#include "core/base/figure.h"

namespace suture {

struct VariantLabel {
    std::string kind;           ///< "dense", or the repair's terminal name
    std::string label;          ///< in the window
    Role role = Role::Patched;  ///< Dense, Unpatched (removed, no repair) or Patched
    bool stale = false;         ///< its numbers were made under other conditions than those chosen now

    std::string shown() const { return stale ? label + " (stale)" : label; }
    Role shown_role() const { return stale ? Role::Neutral : role; }
    std::string state() const { return stale ? "stale" : "fresh"; }
};

}  // namespace suture
