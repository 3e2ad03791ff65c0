// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/generate_page.h"

#include "ui/pages/generate_answers.h"
#include "ui/pages/generate_prompt.h"

namespace suture {

GeneratePage::GeneratePage(Session& session, Results& results)
    : PageOfViews(QStringLiteral("generate"), tr("Generate"), tr("Does it still talk?"), session, results) {
    add_view(new GeneratePrompt(session, results, this));
    add_view(new GenerateAnswers(session, results, this));
}

}  // namespace suture
