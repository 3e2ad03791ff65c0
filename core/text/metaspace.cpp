// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/internal/metaspace.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace suture {

Metaspace metaspace_of(const nlohmann::json& entry) {
    Metaspace result;
    result.replacement = entry.value("replacement", result.replacement);
    const auto scheme = entry.value("prepend_scheme", entry.value("add_prefix_space", true) ? "always" : "never");
    if (scheme == "first") result.prepend = Metaspace::Prepend::First;
    else if (scheme == "never") result.prepend = Metaspace::Prepend::Never;
    else if (scheme != "always") throw Error("The Metaspace prepend scheme \"" + scheme + "\" is not supported.");
    return result;
}

}  // namespace suture
