// SPDX-License-Identifier: GPL-3.0-or-later
// Which repair is best here, and does training improve it?
#pragma once

#include "ui/pages/page_of_views.h"

namespace suture {

class RepairPage : public PageOfViews {
    Q_OBJECT
public:
    RepairPage(Session& session, Results& results);
};

}  // namespace suture
