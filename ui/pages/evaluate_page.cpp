// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/evaluate_page.h"

#include "ui/pages/evaluate_domains.h"
#include "ui/pages/evaluate_speed.h"
#include "ui/pages/evaluate_tasks.h"
#include "ui/pages/evaluate_text.h"

namespace suture {

EvaluatePage::EvaluatePage(Session& session, Results& results)
    : PageOfViews(QStringLiteral("evaluate"), tr("Evaluate"), tr("What did it cost, what did it bring back?"), session, results) {
    add_view(new EvaluateText(session, results, this));
    add_view(new EvaluateTasks(session, results, this));
    add_view(new EvaluateSpeed(session, results, this));
    add_view(new EvaluateDomains(session, results, this));
}

}  // namespace suture
