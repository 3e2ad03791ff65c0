// SPDX-License-Identifier: GPL-3.0-or-later
// Which pages there are, in the order of their tabs.
#pragma once

#include <vector>

#include "ui/pages/page.h"

namespace suture {

/// The caller's tab bar takes the pages over.
std::vector<Page*> make_pages(Session& session, Results& results);

}  // namespace suture
