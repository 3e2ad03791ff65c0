// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/pages.h"

#include "ui/pages/overview_page.h"

namespace suture {

std::vector<Page*> make_pages(Session& session, Results& results) { return {new OverviewPage(session, results)}; }

}  // namespace suture
