// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/repair_page.h"

#include "ui/pages/repair_finetune.h"
#include "ui/pages/repair_recommend.h"

namespace suture {

RepairPage::RepairPage(Session& session, Results& results)
    : PageOfViews(QStringLiteral("repair"), tr("Repair"), tr("Which repair is best here, and does training improve it?"), session,
                  results) {
    add_view(new RepairRecommend(session, results, this));
    add_view(new RepairFineTune(session, results, this));
}

}  // namespace suture
