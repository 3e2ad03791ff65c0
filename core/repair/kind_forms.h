// SPDX-License-Identifier: GPL-3.0-or-later
// Which forms a kind of repair can have, known before it is fitted.
#pragma once

#include <string>

#include "core/repair/forms.h"

namespace suture {

/// Why a repair of this kind, as it is fitted, has no such form in this model, in one sentence; empty: it has.
std::string form_refusal(const Model& model, const std::string& kind, Form form);

}  // namespace suture
